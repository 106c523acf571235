package doctest

import (
	"bytes"
	"context"
	"encoding/json"
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
	"docqa/internal/idempotency"
	"docqa/internal/ingest"
	"docqa/internal/ingest/parsing"
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

// Main runs the tests of a package. The test program is also the program of the confined
// children that read documents.
func Main(m *testing.M) {
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

// SharedPrefix is where rag clients may name objects.
const SharedPrefix = "shared/"

// Bundle is a company with a project, and the services that work on its documents.
type Bundle struct {
	factory.Tenant
	Documents *documents.Service
	Ingest    *ingest.Service
	Store     *store.Store
	Objects   *blob.Store
	Clock     *clock.Manual
	Parser    *factory.Reader
	Jobs      jobargs.Inserter
	Claimed   atomic.Int32 // calls of Claim of the attempts

	t *testing.T
}

// New returns a Bundle that ends with t.
func New(t *testing.T) *Bundle {
	t.Helper()
	b := &Bundle{t: t, Store: dbtest.New(t), Objects: blobtest.New(t), Clock: clock.Fixed(factory.Epoch()), Parser: &factory.Reader{}}
	inserter, err := jobs.NewInserter(b.Store.Pool().Pool, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	b.Jobs = inserter
	b.Tenant = factory.NewTenant(t, b.Store, factory.TenantOpts{})
	b.Documents = documents.New(documents.Deps{
		Store: b.Store, Objects: b.Objects, Jobs: inserter, Formats: factory.Reader{}, Clock: b.Clock, Cursors: cursor.New([]byte("key"), b.Clock),
		Once: idempotency.New(b.Clock, nil),
	})
	b.Ingest = ingest.New(b.IngestDeps())
	return b
}

// IngestDeps returns the dependencies of the bundle's ingest.Service. A test that needs
// another service changes them.
func (b *Bundle) IngestDeps() ingest.Deps {
	return ingest.Deps{
		Store: b.Store, Objects: b.Objects, Jobs: b.Jobs, Formats: factory.Reader{}, Pages: Pages(b.t), Clock: b.Clock,
		Parser: b.Parser, Logger: slog.New(slog.DiscardHandler), TempDir: b.t.TempDir(), SharedPrefix: SharedPrefix,
	}
}

// Pages returns a guard that can read pages that tests serve on this machine.
func Pages(t *testing.T) *outbound.Guard {
	t.Helper()
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
	require.NoError(t, err)
	return guard
}

// Ctx returns a context that is bound to the company.
func (b *Bundle) Ctx() context.Context { return b.Context(b.t.Context()) }

// ProjectID is the id of the project.
func (b *Bundle) ProjectID() string { return b.Project.ProjectID }

// Attempt returns an attempt that may be repeated. Calls of its Claim are counted in Claimed.
func (b *Bundle) Attempt() jobargs.Attempt {
	return jobargs.Attempt{Claim: func(context.Context, pgx.Tx) error { b.Claimed.Add(1); return nil }}
}

func Put(t *testing.T, address string, body []byte) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address, bytes.NewReader(body))
	require.NoError(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

// Reserved is a pending document whose file was PUT, unless body is nil.
func (b *Bundle) Reserved(t *testing.T, name string, body []byte) documents.Reservation {
	t.Helper()
	r, err := b.Documents.ReserveUpload(b.Ctx(), b.CompanyID, b.ProjectID(), documents.UploadInput{Filename: name})
	require.NoError(t, err)
	if body != nil {
		require.Equal(t, http.StatusOK, Put(t, r.UploadURL, body))
	}
	return r
}

func (b *Bundle) Uploaded(t *testing.T, name, text string) dbsqlc.Document {
	t.Helper()
	r := b.Reserved(t, name, []byte(text))
	d, err := b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), r.Document.DocumentID)
	require.NoError(t, err)
	require.Equal(t, "uploaded", d.Status)
	return d
}

// Started starts the ingestion of one document and returns its job.
func (b *Bundle) Started(t *testing.T, id string) jobargs.IngestDocument {
	t.Helper()
	got, err := b.Ingest.Sync(b.Ctx(), b.CompanyID, b.ProjectID())
	require.NoError(t, err)
	require.Equal(t, 1, got.Documents)
	return b.Job(t, id)
}

func (b *Bundle) Job(t *testing.T, id string) jobargs.IngestDocument {
	t.Helper()
	d := b.Get(t, id)
	return jobargs.IngestDocument{DocumentRun: jobargs.DocumentRun{CompanyID: b.CompanyID, ProjectID: b.ProjectID(), DocumentID: id, Run: d.IngestRun}}
}

func (b *Bundle) Indexed(t *testing.T, name, text string) dbsqlc.Document {
	t.Helper()
	d := b.Uploaded(t, name, text)
	require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Started(t, d.DocumentID), b.Attempt()))
	d = b.Get(t, d.DocumentID)
	require.Equal(t, "indexed", d.Status)
	return d
}

func (b *Bundle) Get(t *testing.T, id string) dbsqlc.Document {
	t.Helper()
	d, err := b.Documents.Get(b.Ctx(), b.CompanyID, b.ProjectID(), id)
	require.NoError(t, err)
	return d
}

// JobsOf returns the arguments of the waiting jobs of a kind, as JSON, with the scheduled ones
// last.
func (b *Bundle) JobsOf(t *testing.T, kind string, states ...string) []string {
	t.Helper()
	if len(states) == 0 {
		states = []string{"available"}
	}
	rows, err := b.Store.Pool().Query(t.Context(),
		"select args::text from river_job where kind = $1 and state::text = any($2) order by id", kind, states)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return found
}

// RemoveAll runs the waiting jobs that remove objects.
func (b *Bundle) RemoveAll(t *testing.T) {
	t.Helper()
	for _, args := range b.JobsOf(t, "remove_object") {
		require.NoError(t, b.Documents.RemoveObject(b.Ctx(), Decode[jobargs.RemoveObject](t, args)))
	}
}

func (b *Bundle) Chunks(t *testing.T) int32 {
	t.Helper()
	n, err := dbsqlc.New().ChunkCount(b.Ctx(), b.Store.Pool(), dbsqlc.ChunkCountParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID()})
	require.NoError(t, err)
	return n
}

// Events returns the types of the company's events, the oldest first.
func (b *Bundle) Events(t *testing.T) []string {
	t.Helper()
	return b.Tenant.Events(t, b.Store)
}

func RequireCode(t *testing.T, err error, kind apperr.Kind, code string) {
	t.Helper()
	require.Error(t, err)
	require.EqualValues(t, code, apperr.CodeOf(err))
	require.Equal(t, kind, apperr.KindOf(err))
}

// Essay is a text of several chunks.
func Essay(about string) string {
	return strings.Repeat("The "+about+" has a warranty of two years from the day of purchase. ", 60) +
		"\n\n" + strings.Repeat("Repairs of the "+about+" are free within that time. ", 60)
}

// Decode reads the arguments of a job.
func Decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

// Delete deletes a document of the project.
func (b *Bundle) Delete(id string) error {
	_, err := b.Documents.Delete(b.Ctx(), b.CompanyID, b.ProjectID(), id)
	return err
}
