package embed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

func TestOpen_none(t *testing.T) {
	t.Parallel()
	_, err := embed.Open(t.Context(), models.Embedding{}, embed.Options{})
	require.ErrorIs(t, err, embed.ErrNone)
}
