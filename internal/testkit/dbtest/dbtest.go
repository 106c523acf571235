package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/store"
)

// setupTimeout bounds all preparations for a test.
const setupTimeout = 2 * time.Minute

// New returns a store on an empty, migrated database that no other test uses until tb ends.
func New(tb testing.TB) *store.Store {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), setupTimeout)
	defer cancel()
	s, err := store.Open(ctx, URL(tb), store.Options{MaxConns: 12, Application: "docqa test"})
	require.NoError(tb, err)
	tb.Cleanup(s.Close)
	return s
}

// URL returns the address, as superuser, of an empty, migrated database that no
// other test uses until tb ends.
func URL(tb testing.TB) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), setupTimeout)
	defer cancel()
	c := connected(ctx, tb)
	name, release, err := c.claim(ctx)
	require.NoError(tb, err)
	tb.Cleanup(release)
	return c.url(name)
}

// Blank returns the address, as superuser, of a new database without any table, for
// tests of the migrations. It is dropped when tb ends.
func Blank(tb testing.TB) string {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), setupTimeout)
	defer cancel()
	c := connected(ctx, tb)
	name := fmt.Sprintf("docqa_blank_%d_%d", os.Getpid(), c.blanks.Add(1))
	require.NoError(tb, c.exec(ctx, "drop database if exists "+name+" with (force)"))
	require.NoError(tb, c.exec(ctx, "create database "+name+" template template0"))
	gone := context.WithoutCancel(ctx)
	tb.Cleanup(func() { require.NoError(tb, c.exec(gone, "drop database if exists "+name+" with (force)")) })
	return c.url(name)
}

func connected(ctx context.Context, tb testing.TB) *cluster {
	tb.Helper()
	c, err := connect(ctx)
	require.NoError(tb, err, "the tests need Postgres")
	return c
}

var connect = func() func(context.Context) (*cluster, error) {
	var once sync.Once
	var c *cluster
	var err error
	return func(ctx context.Context) (*cluster, error) {
		once.Do(func() { c, err = start(ctx) })
		return c, err
	}
}()

// start finds the shared cluster and makes sure that it holds the template.
func start(ctx context.Context) (*cluster, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	bin, err := pgbin.Find(ctx, pgbin.ProjectRoot(dir), os.Getenv("PG_BIN"))
	if err != nil {
		return nil, err
	}
	address, err := postgres.Shared(ctx, bin)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	// The connection stays open until the program ends: it holds the locks of the databases in
	// use.
	admin, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	c := &cluster{base: base, admin: admin, template: "docqa_" + fingerprint()}
	return c, c.ensureTemplate(ctx)
}
