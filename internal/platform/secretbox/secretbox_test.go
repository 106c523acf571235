package secretbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/secretbox"
)

func TestBox(t *testing.T) {
	t.Parallel()
	keyset, err := secretbox.GenerateKeyset()
	require.NoError(t, err)
	box, err := secretbox.New(keyset)
	require.NoError(t, err)
	place := secretbox.Place{CompanyID: "cmp_a", Table: "projects", Column: "secret", RowID: "prj_a"}
	sealed, err := box.Seal([]byte("hush"), place)
	require.NoError(t, err)
	require.NotContains(t, string(sealed), "hush")

	plaintext, err := box.Open(sealed, place)
	require.NoError(t, err)
	require.Equal(t, "hush", string(plaintext))

	elsewhere := place
	elsewhere.CompanyID = "cmp_b"
	_, err = box.Open(sealed, elsewhere)
	require.Error(t, err)
}

func TestBox_WithoutKeyset(t *testing.T) {
	t.Parallel()
	box, err := secretbox.New("")
	require.NoError(t, err)
	_, err = box.Seal([]byte("x"), secretbox.Place{})
	require.EqualValues(t, "not_configured", apperr.CodeOf(err))
	_, err = box.Open([]byte("x"), secretbox.Place{})
	require.Equal(t, apperr.KindUnavailable, apperr.KindOf(err))
}

func TestNew_BadKeyset(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"{", "{}", "secret words"} {
		_, err := secretbox.New(s)
		require.ErrorContains(t, err, "ENCRYPTION_KEYSET")
		require.NotContains(t, err.Error(), "secret words")
	}
}
