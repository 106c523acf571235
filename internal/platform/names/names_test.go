package names_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/names"
)

func TestName(t *testing.T) {
	t.Parallel()
	got, err := names.Name("/name", "  Acme \u00d6l  ", 120)
	require.NoError(t, err)
	require.Equal(t, "Acme \u00d6l", got)
	_, err = names.Name("/name", strings.Repeat("\u00f6", 120), 120)
	require.NoError(t, err)
	for _, s := range []string{"", " \t\n", "a\x00b", "a\nb", "a\u0085b", strings.Repeat("\u00f6", 121)} {
		_, err := names.Name("/name", s, 120)
		require.EqualValues(t, "validation_error", apperr.CodeOf(err), "%q", s)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	got, err := names.Text("/description", " two\r\n\tlines ", 20)
	require.NoError(t, err)
	require.Equal(t, " two\r\n\tlines ", got)
	for _, s := range []string{"a\x00b", "a\x1bb", strings.Repeat("x", 21)} {
		_, err := names.Text("/description", s, 20)
		require.EqualValues(t, "validation_error", apperr.CodeOf(err), "%q", s)
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Employee handbook":                  "employee-handbook",
		"  --Q&A / 2026 (draft)!":            "q-a-2026-draft",
		"Stra\u00dfe \u00d8st \u00c6r\u00f8": "strasse-ost-aero",
		"Caf\u00e9 d'\u00c9t\u00e9":          "cafe-dete",
		"\u6587\u66f8":                       "project",
		"...":                                "project",
		"\uff21\uff22":                       "ab",
	} {
		require.Equal(t, want, names.Slug(name, "project"), name)
	}
	long := names.Slug(strings.Repeat("ab ", 100), "x")
	require.LessOrEqual(t, len(long), names.SlugCharacters)
	require.False(t, strings.HasSuffix(long, "-"))
}

func TestWithSuffix(t *testing.T) {
	t.Parallel()
	require.Equal(t, "acme-2", names.WithSuffix("acme", "2"))
	long := names.WithSuffix(strings.Repeat("a", 60), "k4m5")
	require.Len(t, long, names.SlugCharacters)
	require.True(t, strings.HasSuffix(long, "a-k4m5"))
}
