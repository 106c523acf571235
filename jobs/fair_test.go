package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/outbound"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
)

// otherCompany makes another company in the same installation.
func (p *bundle) otherCompany(tb testing.TB) *bundle {
	tb.Helper()
	other := *p
	other.Tenant = factory.NewTenant(tb, p.Store, factory.TenantOpts{Draft: true})
	return &other
}

// companyOf returns the company that a job's context is bound to.
func companyOf(ctx context.Context, tb testing.TB, s *store.Store) string {
	tb.Helper()
	var company string
	require.NoError(tb, s.Pool().QueryRow(ctx, "select current_setting('app.company_id')").Scan(&company))
	return company
}

func (p *bundle) files(tb testing.TB, n int) {
	tb.Helper()
	for i := range n {
		p.uploaded(tb, fmt.Sprintf("%s-%d.txt", p.CompanyID, i), fmt.Sprintf("Document %d of %s is about grinders.", i, p.CompanyID))
	}
	p.sync(tb)
}

const countIndexedOf = "select count(*) from documents where status = 'indexed' and company_id = $1"

// TestFair_aSlotIsLeftToOthers: while the files of one company take for ever, those of another
// company are read.
func TestFair_aSlotIsLeftToOthers(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	var slow *bundle
	slow = setup(t, factory.Reader{Before: func(ctx context.Context) error {
		if companyOf(ctx, t, slow.Store) == slow.CompanyID {
			select {
			case <-release:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}})
	slow.Parsers = 2
	slow.files(t, 6)
	slow.run(t)
	until(t, slow, 2, "select count(*) from river_job where state = 'running' and queue = 'ingest'")

	other := slow.otherCompany(t)
	other.files(t, 3)
	until(t, other, 3, countIndexedOf, other.CompanyID)
	require.Zero(t, ask[int](t, slow, countIndexedOf, slow.CompanyID))
	require.Equal(t, 2, ask[int](t, slow, "select count(*) from river_job where state = 'running' and queue = 'ingest'"), "a company has its share and no more")
	close(release)
	until(t, slow, 6, countIndexedOf, slow.CompanyID)
}

// TestFair_companiesTakeTurns: a company with many files does not delay a company with few. The
// turn depends on the working time so far, not on who came first.
func TestFair_companiesTakeTurns(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var order []string
	var large *bundle
	large = setup(t, factory.Reader{Before: func(ctx context.Context) error {
		company := companyOf(ctx, t, large.Store)
		mu.Lock()
		defer mu.Unlock()
		order = append(order, company)
		return nil
	}})
	large.Parsers = 1
	small := large.otherCompany(t)
	large.files(t, 60)
	small.files(t, 3)
	large.run(t)
	until(t, large, 63, countIndexed)
	last := len(order) - 1 - slices.Index(reversed(order), small.CompanyID)
	require.Less(t, last, 20, "the small company does not wait for the files of the large one")
}

func reversed(list []string) []string {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// TestFair_pagesThatAreFetchedHoldNoReader: sites that never answer do not delay the reading of files.
func TestFair_pagesThatAreFetchedHoldNoReader(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(site.Close)
	slow := setup(t, factory.Reader{})
	slow.Parsers = 1
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
	require.NoError(t, err)
	slow.Ingester.Pages = guard
	for i := range 8 {
		slow.page(t, fmt.Sprintf("%s/%d", site.URL, i))
	}
	slow.sync(t)
	slow.run(t)
	t.Cleanup(func() { close(release) })
	until(t, slow, 4, "select count(*) from river_job where state = 'running' and queue = 'fetch'")

	other := slow.otherCompany(t)
	other.files(t, 2)
	until(t, other, 2, countIndexedOf, other.CompanyID)
	slow.files(t, 1)
	until(t, slow, 1, countIndexedOf, slow.CompanyID)
	require.Equal(t, 4, ask[int](t, slow, "select count(*) from river_job where state = 'running' and queue = 'fetch'"), "a company has its share and no more")
}

// page makes a document of a page that was not fetched yet.
func (p *bundle) page(tb testing.TB, address string) {
	tb.Helper()
	id := ids.New(ids.Document)
	_, err := dbsqlc.New().DocumentCreate(p.ctx(), p.Store.Pool(), dbsqlc.DocumentCreateParams{
		CompanyID: p.CompanyID, ProjectID: p.project(), DocumentID: id, Filename: "page.html", Title: "page", ContentType: "text/html",
		Format: "html", SourceType: "api", SourceURL: &address, Now: p.Clock.Now(),
	})
	require.NoError(tb, err)
	_, err = p.Store.Pool().Exec(p.ctx(), "update documents set status = 'uploaded' where document_id = $1", id)
	require.NoError(tb, err)
}

// TestFair_aPageIsFetchedThenRead follows a page through both queues.
func TestFair_aPageIsFetchedThenRead(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<p>The grinder has a warranty of two years.</p>"))
	}))
	t.Cleanup(site.Close)
	p := setup(t, factory.Reader{})
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
	require.NoError(t, err)
	p.Ingester.Pages = guard
	p.page(t, site.URL+"/grinder")
	p.sync(t)
	p.run(t)
	until(t, p, 1, countIndexed)
	require.Equal(t, 1, ask[int](t, p, "select count(*) from river_job where kind = 'fetch_page'"))
	require.Contains(t, ask[string](t, p, "select body from chunks"), "two years")
}

// terminate runs a statement that the application's role may not run.
func (p *bundle) terminate(tb testing.TB, sql string) {
	tb.Helper()
	owner, err := pgx.Connect(tb.Context(), p.url)
	require.NoError(tb, err)
	tag, err := owner.Exec(tb.Context(), sql)
	require.NoError(tb, err)
	require.Positive(tb, tag.RowsAffected())
	require.NoError(tb, owner.Close(tb.Context()))
}

// TestOvertaken: a worker loses its liveness lock while it works. Another attempt gets the job,
// and the outcome of the first attempt has no effect.
func TestOvertaken(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	attempts := 0
	cancelled, second, answered, release := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	p := setup(t, factory.Reader{Before: func(ctx context.Context) error {
		mu.Lock()
		attempts++
		mine := attempts
		mu.Unlock()
		switch mine {
		case 1:
			<-ctx.Done()
			close(cancelled)
			<-second // end only when the next attempt runs
			defer close(answered)
			return errors.New("an error of the overtaken attempt")
		case 2:
			close(second)
			<-release
		}
		return nil
	}})
	p.Parsers = 1
	p.uploaded(t, "a.txt", strings.Repeat("The grinder has a warranty. ", 20))
	p.sync(t)
	p.run(t)
	until(t, p, 1, "select count(*) from river_job where state = 'running' and kind = 'ingest_document'")
	p.terminate(t, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and classid = 7001")
	<-cancelled
	<-second
	<-answered
	require.Equal(t, "running", ask[string](t, p, "select state::text from river_job where kind = 'ingest_document'"), "the second attempt goes on")
	close(release)
	until(t, p, 1, countIndexed)
	until(t, p, "completed", "select state::text from river_job where kind = 'ingest_document'")
	require.Equal(t, 2, ask[int](t, p, "select attempt from river_job where kind = 'ingest_document'"))
	require.Zero(t, ask[int](t, p, "select coalesce(array_length(errors, 1), 0) from river_job where kind = 'ingest_document'"))
}
