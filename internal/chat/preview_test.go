package chat_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
)

func TestService_Try_storesNothing(t *testing.T) {
	t.Parallel()
	h := setup(t)
	result, err := h.chat.Preview(h.Context(t.Context()), h.CompanyID, &h.Project, " How long is the warranty? ")
	require.NoError(t, err)
	require.Equal(t, chat.KindAnswer, result.Kind)
	require.Equal(t, warranty+" [1].", result.Text)
	require.Len(t, result.Sources, 1)
	require.NotEmpty(t, result.Found)
	require.Equal(t, "warranty terms", result.Found[0].Title)
	require.Zero(t, h.count(t, "conversations"))
	require.Zero(t, h.used(t))

	_, err = h.chat.Preview(h.Context(t.Context()), h.CompanyID, &h.Project, strings.Repeat("x", 1001))
	require.EqualValues(t, "question_too_long", apperr.CodeOf(err))
	_, err = h.chat.Preview(h.Context(t.Context()), h.CompanyID, &h.Project, " ")
	require.EqualValues(t, "validation_error", apperr.CodeOf(err))
}
