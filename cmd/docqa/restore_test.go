//go:build kill

package main_test

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// TestMigrate_RolesOnly restores a backup into a new database server, as the operator's
// guide says, and reads the rows as the application's role.
func TestMigrate_RolesOnly(t *testing.T) {
	t.Parallel()
	bin, err := pgbin.Find(t.Context(), pgbin.ProjectRoot("."), os.Getenv("PG_BIN"))
	require.NoError(t, err)
	source := dbtest.URL(t)
	before, err := store.Open(t.Context(), source, store.Options{})
	require.NoError(t, err)
	t.Cleanup(before.Close)
	ten := factory.NewTenant(t, before, factory.TenantOpts{})
	factory.Document(t, before, ten, ten.Project.ProjectID, "guide.md", "The lamp is green.")
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, tool(t, bin, "pg_dump", "--format=custom", "--file="+backup, source))

	target := newServer(t, bin)
	require.ErrorContains(t, tool(t, bin, "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+target("first"), backup), "exit status 1")
	settings := complete()
	settings["DATABASE_URL"] = target("second")
	e := run(t, settings, "migrate", "--roles-only")
	require.Zero(t, e.code, e.errOut)
	require.NoError(t, tool(t, bin, "pg_restore", "--exit-on-error", "--no-owner", "--dbname="+settings["DATABASE_URL"], backup))
	e = run(t, settings, "migrate")
	require.Zero(t, e.code, e.errOut)

	after, err := store.Open(t.Context(), settings["DATABASE_URL"], store.Options{})
	require.NoError(t, err)
	t.Cleanup(after.Close)
	var role, text string
	require.NoError(t, after.Pool().QueryRow(ten.Context(t.Context()), "select current_user, body from chunks").Scan(&role, &text))
	require.Equal(t, "docqa_app", role)
	require.Contains(t, text, "The lamp is green.")
	var others int
	require.NoError(t, after.Pool().QueryRow(t.Context(), "select count(*) from chunks").Scan(&others))
	require.Zero(t, others, "a context without a company sees nothing")
}

// newServer starts an empty database server and returns how to make databases in it.
func newServer(t *testing.T, bin pgbin.Install) (database func(name string) string) {
	t.Helper()
	server, err := postgres.Start(t.Context(), postgres.Options{Dir: filepath.Join(t.TempDir(), "server"), Bin: bin, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return func(name string) string {
		require.NoError(t, server.EnsureDatabase(t.Context(), name))
		return server.URL(name)
	}
}

// tool runs one of Postgres' programs.
func tool(t *testing.T, bin pgbin.Install, name string, args ...string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin.Path(name), args...)
	cmd.Env = append(os.Environ(), bin.Env()...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%s: %s", name, out)
	}
	return err
}
