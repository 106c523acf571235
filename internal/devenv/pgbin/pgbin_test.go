package pgbin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAtLeast(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text   string
		major, minor int
		want         bool
	}{
		{"exact", "postgres (PostgreSQL) 15.18 (Debian)", 15, 0, true},
		{"newer", "18beta1", 15, 0, true},
		{"older", "14.9", 15, 0, false},
		{"minor too low", " = '0.7.4'", 0, 8, false},
		{"minor enough", " = '0.8.0'", 0, 8, true},
		{"next major", "= '1.0'", 0, 8, true},
		{"no number", "unknown", 0, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, atLeast(tc.text, tc.major, tc.minor))
		})
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	require.NoError(t, err)
	root := ProjectRoot(wd)
	require.FileExists(t, filepath.Join(root, "go.mod"))

	found, err := Find(t.Context(), root, os.Getenv("PG_BIN"))
	require.NoError(t, err)
	require.FileExists(t, found.Path("postgres"))

	again, err := Find(t.Context(), t.TempDir(), found.Bin)
	require.NoError(t, err)
	require.Equal(t, found, again)

	_, err = Find(t.Context(), root, t.TempDir())
	require.ErrorIs(t, err, ErrMissing)
}
