package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/idempotency"
	"docqa/internal/ingest"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/sandbox"
	"docqa/internal/provider/blob"
	"docqa/internal/ragservice"
	"docqa/internal/store"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
)

// TestMain lets the test program also run as a worker process, which a test can kill, and as a
// child that reads a file.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sandbox" {
		os.Exit(sandbox.Main(os.Args[2:], os.Stderr))
	}
	if len(os.Args) > 1 && os.Args[1] == "parse" {
		os.Exit(parsing.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if setup := os.Getenv(workerSetup); setup != "" {
		if err := work(setup); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	blobtest.Main(m)
}

// deps returns what a worker with this database and bucket needs.
func deps(s *store.Store, objects *blob.Store, r factory.Reader) (jobs.Deps, error) {
	logger := slog.New(slog.DiscardHandler)
	inserter, err := jobs.NewInserter(s.Pool().Pool, logger)
	if err != nil {
		return jobs.Deps{}, err
	}
	c := clock.System()
	d := jobs.Deps{
		Store: s, Clock: c, Logger: logger,
		Documents: documents.New(documents.Deps{
			Store: s, Objects: objects, Jobs: inserter, Formats: r, Clock: c, Cursors: cursor.New([]byte("key"), c),
			Once: idempotency.New(c, nil),
		}),
		Ingester: ingest.New(ingest.Deps{
			Store: s, Objects: objects, Jobs: inserter, Formats: r, Clock: c, Parser: r, Logger: logger,
		}),
	}
	d.Rag = ragservice.New(ragservice.Deps{
		Store: s, Objects: objects, Jobs: inserter, Clock: c, Documents: d.Documents, Ingestion: d.Ingester, Once: idempotency.New(c, nil),
	})
	return d, nil
}

// bundle is a tenant with a project and the services that its jobs need.
type bundle struct {
	factory.Tenant
	jobs.Deps
	tb      testing.TB
	url     string
	storage blob.Options
	objects *blob.Store
}

func setup(tb testing.TB, r factory.Reader) *bundle {
	tb.Helper()
	p := &bundle{tb: tb, url: dbtest.URL(tb), storage: blobtest.Options(tb)}
	s, err := store.Open(tb.Context(), p.url, store.Options{MaxConns: 12})
	require.NoError(tb, err)
	tb.Cleanup(s.Close)
	p.objects, err = blob.New(p.storage)
	require.NoError(tb, err)
	p.Deps, err = deps(s, p.objects, r)
	require.NoError(tb, err)
	p.Tenant = factory.NewTenant(tb, s, factory.TenantOpts{Draft: true})
	return p
}

// ctx is bound to the company.
func (p *bundle) ctx() context.Context { return p.Context(p.tb.Context()) }

func (p *bundle) project() string { return p.Project.ProjectID }

// uploaded makes a document with a confirmed file.
func (p *bundle) uploaded(tb testing.TB, name, text string) string {
	tb.Helper()
	q, id, key, etag, now := dbsqlc.New(), ids.New(ids.Document), "documents/"+name, "etag", p.Clock.Now()
	require.NoError(tb, p.objects.Put(p.ctx(), key, strings.NewReader(text), int64(len(text))))
	_, err := q.DocumentCreate(p.ctx(), p.Store.Pool(), dbsqlc.DocumentCreateParams{
		CompanyID: p.CompanyID, ProjectID: p.project(), DocumentID: id, Filename: name, Title: name, ContentType: "text/plain",
		Format: "txt", SourceType: "upload", Now: now,
	})
	require.NoError(tb, err)
	_, err = q.DocumentConfirm(p.ctx(), p.Store.Pool(), dbsqlc.DocumentConfirmParams{
		CompanyID: p.CompanyID, ProjectID: p.project(), DocumentID: id, ObjectKey: &key, ObjectEtag: &etag,
		SizeBytes: int64(len(text)), Format: "txt", ContentType: "text/plain", Now: now,
	})
	require.NoError(tb, err)
	return id
}

func (p *bundle) sync(tb testing.TB) {
	tb.Helper()
	_, err := p.Ingester.Sync(p.ctx(), p.CompanyID, p.project())
	require.NoError(tb, err)
}

// run starts a runner and stops it when the test ends.
func (p *bundle) run(tb testing.TB) {
	tb.Helper()
	r, err := jobs.New(p.Deps)
	require.NoError(tb, err)
	require.NoError(tb, r.Start(tb.Context()))
	tb.Cleanup(func() { require.NoError(tb, r.Stop(context.Background())) })
}

// ask returns the single value that the query returns, read without a company.
func ask[T any](tb testing.TB, p *bundle, sql string, args ...any) (v T) {
	tb.Helper()
	ctx := store.AsSystem(tb.Context(), "the test sees everything")
	require.NoError(tb, p.Store.Pool().QueryRow(ctx, sql, args...).Scan(&v))
	return v
}

// until waits until the query returns the value.
func until[T comparable](tb testing.TB, p *bundle, want T, sql string, args ...any) {
	tb.Helper()
	require.Eventually(tb, func() bool { return ask[T](tb, p, sql, args...) == want }, 2*time.Minute, 5*time.Millisecond, sql)
}

const countIndexed = "select count(*) from documents where status = 'indexed'"
