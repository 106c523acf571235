package postgres

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// otherUser is an account that owns no file and shares no group with this process.
func otherUser() account {
	return account{uid: 65500, gid: 65500, credential: &syscall.Credential{Uid: 65500, Gid: 65500}}
}

func TestReach(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(filepath.Dir(clusterDir(t)), "a", "b")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.True(t, otherUser().reaches(dir))
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o700))
	require.False(t, otherUser().reaches(dir))
	require.True(t, account{uid: os.Geteuid()}.reaches(dir))
	require.False(t, otherUser().reaches(filepath.Join(dir, "missing")))
}

func TestClusterIsMovedIfOnlyRootCanEnterTheFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "pg")
	actual, err := elsewhere(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(filepath.Dir(actual))) })
	require.Equal(t, "/var/tmp", filepath.Dir(filepath.Dir(actual)))
	target, err := os.Readlink(dir)
	require.NoError(t, err)
	require.Equal(t, actual, target)

	// From now on the link is used.
	own := account{uid: os.Geteuid(), gid: os.Getegid()}
	placed, err := place(dir, own)
	require.NoError(t, err)
	require.Equal(t, actual, placed)
	info, err := os.Stat(placed)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestFolderOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	require.Error(t, checkOwner(t.TempDir(), os.Geteuid()+1))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	require.Error(t, checkOwner(link, os.Geteuid()))
}
