package documents_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/parsing"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/outbound"
	"docqa/internal/platform/sandbox"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// TestMain lets the test program play the children that read documents.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "sandbox":
			os.Exit(sandbox.Main(os.Args[2:], os.Stderr))
		case "parse":
			os.Exit(parsing.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
		}
	}
	blobtest.Main(m)
}

// fixture is a company with a project, and a service that works for it.
type fixture struct {
	*documents.Service
	factory.Tenant
	t       *testing.T
	ingest  *documents.Ingester
	store   *store.Store
	objects *blob.Store
	clock   *clock.Manual
	parser  *factory.Reader
	claimed atomic.Int32
	jobs    documents.Jobs
}

func setup(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, store: dbtest.New(t), objects: blobtest.New(t), clock: clock.Fixed(factory.Epoch()), parser: &factory.Reader{}}
	logger := slog.New(slog.DiscardHandler)
	inserter, err := jobs.NewInserter(f.store.Pool().Pool, logger)
	require.NoError(t, err)
	f.jobs = inserter
	f.Tenant = factory.NewTenant(t, f.store, factory.TenantOpts{})
	f.Service = documents.New(documents.Options{
		Store: f.store, Objects: f.objects, Jobs: inserter, Formats: factory.Reader{}, Clock: f.clock,
		Cursors: cursor.New([]byte("key"), f.clock), Pages: pages(t), SharedPrefix: "shared/",
	})
	f.ingest = documents.NewIngester(documents.IngesterOptions{
		Store: f.store, Objects: f.objects, Jobs: inserter, Formats: factory.Reader{}, Pages: pages(t), Clock: f.clock, Parser: f.parser, Logger: logger, TempDir: t.TempDir(),
	})
	return f
}

// pages reads what tests serve on this machine.
func pages(t *testing.T) *outbound.Guard {
	t.Helper()
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
	require.NoError(t, err)
	return guard
}

// ctx is bound to the company.
func (f *fixture) ctx() context.Context { return f.Context(f.t.Context()) }

func (f *fixture) project() string { return f.Project.ProjectID }

func (f *fixture) attempt() documents.Attempt {
	return documents.Attempt{Claim: func(context.Context, pgx.Tx) error { f.claimed.Add(1); return nil }}
}

func put(t *testing.T, address string, body []byte) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader(body))
	require.NoError(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// reserved is a pending document whose file was PUT, unless body is nil.
func (f *fixture) reserved(t *testing.T, name string, body []byte) documents.Reservation {
	t.Helper()
	r, err := f.ReserveUpload(f.ctx(), f.CompanyID, f.project(), documents.UploadInput{Filename: name})
	require.NoError(t, err)
	if body != nil {
		require.Equal(t, http.StatusOK, put(t, r.UploadURL, body))
	}
	return r
}

func (f *fixture) uploaded(t *testing.T, name, text string) dbsqlc.Document {
	t.Helper()
	r := f.reserved(t, name, []byte(text))
	d, err := f.Confirm(f.ctx(), f.CompanyID, f.project(), r.Document.DocumentID)
	require.NoError(t, err)
	require.Equal(t, "uploaded", d.Status)
	return d
}

// started syncs and returns the job of the only document.
func (f *fixture) started(t *testing.T, id string) jobargs.IngestDocument {
	t.Helper()
	got, err := f.Sync(f.ctx(), f.CompanyID, f.project())
	require.NoError(t, err)
	require.Equal(t, 1, got.Documents)
	return f.job(t, id)
}

func (f *fixture) job(t *testing.T, id string) jobargs.IngestDocument {
	t.Helper()
	d := f.get(t, id)
	return jobargs.IngestDocument{DocumentRun: jobargs.DocumentRun{CompanyID: f.CompanyID, ProjectID: f.project(), DocumentID: id, Run: d.IngestRun}}
}

func (f *fixture) indexed(t *testing.T, name, text string) dbsqlc.Document {
	t.Helper()
	d := f.uploaded(t, name, text)
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), f.attempt()))
	d = f.get(t, d.DocumentID)
	require.Equal(t, "indexed", d.Status)
	return d
}

func (f *fixture) get(t *testing.T, id string) dbsqlc.Document {
	t.Helper()
	d, err := f.Get(f.ctx(), f.CompanyID, f.project(), id)
	require.NoError(t, err)
	return d
}

// jobsOf are the arguments of the jobs of a kind that wait, as JSON, the scheduled ones last.
func (f *fixture) jobsOf(t *testing.T, kind string, states ...string) []string {
	t.Helper()
	if len(states) == 0 {
		states = []string{"available"}
	}
	rows, err := f.store.Pool().Query(t.Context(),
		"select args::text from river_job where kind = $1 and state::text = any($2) order by id", kind, states)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return found
}

// removeAll works the waiting jobs that remove objects.
func (f *fixture) removeAll(t *testing.T) {
	t.Helper()
	for _, args := range f.jobsOf(t, "remove_object") {
		require.NoError(t, f.RemoveObject(f.ctx(), decode[jobargs.RemoveObject](t, args)))
	}
}

func (f *fixture) chunks(t *testing.T) int32 {
	t.Helper()
	n, err := dbsqlc.New().ChunkCount(f.ctx(), f.store.Pool(), dbsqlc.ChunkCountParams{CompanyID: f.CompanyID, ProjectID: f.project()})
	require.NoError(t, err)
	return n
}

func (f *fixture) events(t *testing.T) []string {
	t.Helper()
	rows, err := dbsqlc.New().ActivityList(f.ctx(), f.store.Pool(), dbsqlc.ActivityListParams{CompanyID: f.CompanyID, RowLimit: 100})
	require.NoError(t, err)
	var types []string
	for i := range rows {
		types = append(types, rows[len(rows)-1-i].Type)
	}
	return types
}

func requireCode(t *testing.T, err error, kind apperr.Kind, code string) {
	t.Helper()
	require.Error(t, err)
	require.EqualValues(t, code, apperr.CodeOf(err))
	require.Equal(t, kind, apperr.KindOf(err))
}

// essay is a text of several chunks.
func essay(about string) string {
	return strings.Repeat("The "+about+" has a warranty of two years from the day of purchase. ", 60) +
		"\n\n" + strings.Repeat("Repairs of the "+about+" are free within that time. ", 60)
}
