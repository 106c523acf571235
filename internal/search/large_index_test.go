package search_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/embedding"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/jobs/jobargs"
)

// lettered is a model whose vectors count letters.
type lettered struct{}

func (lettered) Model() string   { return "letters' own" }
func (lettered) Dimensions() int { return 26 }
func (lettered) Close() error    { return nil }

func (lettered) Embed(_ context.Context, texts []string) ([][]float32, error) {
	made := make([][]float32, len(texts))
	for i, text := range texts {
		v, sum := make([]float32, 26), 0.0
		v[0] = 0.01
		for _, r := range text {
			if r >= 'a' && r <= 'z' {
				v[r-'a']++
			}
		}
		for _, x := range v {
			sum += float64(x * x)
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		made[i] = v
	}
	return made, nil
}

type largeBundle struct {
	factory.Tenant
	t          *testing.T
	store      *store.Store
	url        string
	search     *search.Service
	newService func() *search.LargeIndexer // as another process has it
	sweep      func()
}

// setupLargeIndex opens a database for one project. connect changes the URL that sweeps connect
// with as the owner of the tables.
func setupLargeIndex(t *testing.T, connect func(url string) string) *largeBundle {
	t.Helper()
	r := &largeBundle{t: t, url: dbtest.URL(t)}
	s, err := store.Open(t.Context(), r.url, store.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	r.store = s
	r.Tenant = factory.NewTenant(t, s, factory.TenantOpts{})
	m := search.NewModels(lettered{})
	require.NoError(t, m.Register(t.Context(), s))
	r.search = search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: m})
	r.newService = func() *search.LargeIndexer {
		return search.NewLargeIndexer(search.LargeIndexDeps{
			Store: s, Owner: connect(r.url), Clock: clock.System(), Logger: slog.New(slog.DiscardHandler),
			LargeFrom: 300, SmallBelow: 100, Segment: 150,
		})
	}
	p := r.newService()
	t.Cleanup(r.dropIndexes) // the next test that gets this database has projects of its own
	r.sweep = func() { require.NoError(t, p.Sweep(t.Context())) }
	return r
}

func (r *largeBundle) dropIndexes() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, r.url)
	require.NoError(r.t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `do $$ declare name text; begin
		for name in select indexname from pg_indexes where indexname like 'chunk_vectors_hnsw%' loop execute format('drop index %I', name); end loop;
	end $$`)
	require.NoError(r.t, err)
}

func (r *largeBundle) ctx() context.Context { return r.Context(r.t.Context()) }

func (r *largeBundle) project() string { return r.Project.ProjectID }

var syllables = []string{"ka", "lo", "mi", "ren", "tu", "sor", "vel", "dan", "pi", "quo"}

// word is a made-up word, the more frequent the smaller its number.
func word(n int) string {
	text := ""
	for ; n > 0 || text == ""; n /= 10 {
		text += syllables[n%10]
	}
	return text + "x"
}

// document adds chunks of random words, with vectors, as an ingestion does.
func (r *largeBundle) document(name string, chunks int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 7))
	pages := make([]string, chunks)
	for i := range pages {
		words := []string{fmt.Sprintf("Entry%s%d", name, i)}
		for range 30 {
			words = append(words, word(int(math.Pow(400, random.Float64()))))
		}
		pages[i] = strings.Join(words, " ") + "."
	}
	factory.Document(r.t, r.store, r.Tenant, r.project(), name+".txt", pages...)
	_, err := r.store.Pool().Exec(r.ctx(), "update documents set status = 'indexed'")
	require.NoError(r.t, err)
	r.counted()
	r.embed()
}

// embed makes the vectors that are missing.
func (r *largeBundle) embed() {
	s := embedding.New(embedding.Deps{Store: r.store, Models: search.NewModels(lettered{}), Clock: clock.System()})
	require.NoError(r.t, s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: ""}, jobargs.Attempt{}))
}

// counted makes the statistics anew.
func (r *largeBundle) counted() {
	factory.Reindex(r.t, r.store, r.Tenant, r.project(), clock.System().Now())
	_, err := r.store.Pool().Exec(r.ctx(), "update project_lexstats set live_chunks = (select count(*) from chunks)")
	require.NoError(r.t, err)
}

func (r *largeBundle) state() dbsqlc.LargeIndexStateRow {
	r.t.Helper()
	row, err := dbsqlc.New().LargeIndexState(r.ctx(), r.store.Pool(), dbsqlc.LargeIndexStateParams{CompanyID: r.CompanyID, ProjectID: r.project()})
	require.NoError(r.t, err)
	return row
}

// indexes are the valid ones of the project's vectors.
func (r *largeBundle) indexes() []string {
	r.t.Helper()
	rows, err := r.store.Pool().Query(r.ctx(), "select indexname from pg_indexes where indexname like 'chunk_vectors_hnsw%' and strpos(indexdef, $1) > 0", r.project())
	require.NoError(r.t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(r.t, err)
	return names
}

// plan is how the vectors nearest to a question are found where a scan and a sort are no choice.
func (r *largeBundle) plan() (lines string) {
	r.t.Helper()
	tx, err := r.store.Pool().Begin(r.ctx())
	require.NoError(r.t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(r.ctx(), "set local enable_sort = off; set local enable_seqscan = off")
	require.NoError(r.t, err)
	rows, err := tx.Query(r.ctx(), "explain "+search.NearStatement(26), pgx.QueryExecModeCacheDescribe,
		r.CompanyID, r.project(), lettered{}.Model(), pgvector.NewHalfVector(make([]float32, 26)), 40)
	require.NoError(r.t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(r.t, err)
	return strings.Join(all, "\n")
}

func (r *largeBundle) found(text string, mode search.Mode) []int64 {
	r.t.Helper()
	res, err := r.search.Search(r.ctx(), r.CompanyID, r.project(), search.Query{Text: text, TopK: 10, Mode: mode})
	require.NoError(r.t, err)
	ids := make([]int64, len(res.Passages))
	for i, p := range res.Passages {
		ids[i] = p.ChunkID
	}
	return ids
}

func owner(url string) string { return url }

func TestSweep_makesAndRemovesLargeIndexes(t *testing.T) { //nolint:tparallel // the steps follow each other
	t.Parallel()
	r := setupLargeIndex(t, owner)
	r.document("small", 200, 1)
	r.sweep()
	require.False(t, r.state().LargeIndex)
	r.document("large", 400, 2)

	random := rand.New(rand.NewPCG(9, 9))
	var questions []string
	for range 40 {
		questions = append(questions, word(random.IntN(20))+" "+word(100+random.IntN(300))+" "+word(20+random.IntN(80)))
	}
	ask := func(mode search.Mode) (all [][]int64) {
		for _, q := range questions {
			all = append(all, r.found(q, mode))
		}
		return all
	}
	exact := map[search.Mode][][]int64{}
	for _, mode := range []search.Mode{search.Keyword, search.Semantic, search.Hybrid} {
		exact[mode] = ask(mode)
	}
	require.Eventually(t, func() bool { r.sweep(); return r.state().PostingsUntil > 0 }, 2*time.Minute, 10*time.Millisecond)
	require.True(t, r.state().LargeIndex)
	require.Len(t, r.indexes(), 1)
	require.Contains(t, r.plan(), r.indexes()[0], "row-level security does not keep the index out")
	for mode, want := range exact {
		same, all := 0, 0
		for i, got := range ask(mode) {
			for _, id := range want[i] {
				all++
				if slices.Contains(got, id) {
					same++
				}
			}
		}
		require.GreaterOrEqual(t, float64(same), 0.97*float64(all), "%s finds what an exact search finds", mode)
	}

	t.Run("the newest chunks are found before they are in a segment", func(t *testing.T) { //nolint:paralleltest // as above
		r.document("late", 5, 3)
		require.NotEmpty(t, r.found("Entrylate3", search.Keyword))
		until := r.state().PostingsUntil
		r.sweep()
		require.Equal(t, until, r.state().PostingsUntil, "a few are not worth a segment")
		require.NotEmpty(t, r.found("Entrylate3", search.Keyword))
		r.document("later", 40, 4)
		// Transactions of other tests on the same server count as well.
		require.Eventually(t, func() bool { r.sweep(); return r.state().PostingsUntil > until }, 2*time.Minute, 10*time.Millisecond)
		for _, q := range []string{"Entrylate3", "Entrylater39", "Entrysmall0", "Entrylarge399"} {
			require.NotEmpty(t, r.found(q, search.Keyword), q)
		}
	})
	t.Run("another model has an index of its own", func(t *testing.T) { //nolint:paralleltest // as above
		before := r.indexes()
		_, err := r.store.Pool().Exec(store.AsSystem(t.Context(), "test"), "insert into vector_models values ('other', 26)")
		require.NoError(t, err)
		_, err = r.store.Pool().Exec(r.ctx(), "update project_lexstats set vector_model = 'other'")
		require.NoError(t, err)
		r.sweep()
		require.Len(t, r.indexes(), 1)
		require.NotEqual(t, before, r.indexes())
	})
	t.Run("a project that shrinks is searched exactly again", func(t *testing.T) { //nolint:paralleltest // as above
		_, err := r.store.Pool().Exec(r.ctx(), "delete from documents where filename <> 'later.txt'")
		require.NoError(t, err)
		r.counted()
		r.sweep()
		require.False(t, r.state().LargeIndex)
		require.Zero(t, r.state().PostingsUntil)
		require.Empty(t, r.indexes())
		require.NotEmpty(t, r.found("Entrylater3", search.Keyword))
	})
}

func TestSweep_waitsForTransactionsThatMayBringChunks(t *testing.T) {
	t.Parallel()
	r := setupLargeIndex(t, owner)
	r.document("first", 350, 1)
	slow, err := r.store.Pool().Begin(r.ctx())
	require.NoError(t, err)
	var id int64
	require.NoError(t, slow.QueryRow(r.ctx(), "select pg_current_xact_id()::text::bigint").Scan(&id))
	require.NoError(t, slow.QueryRow(r.ctx(), "select nextval(pg_get_serial_sequence('chunks', 'chunk_id'))").Scan(&id))
	_, err = slow.Exec(r.ctx(), "savepoint waiting") // ends the last statement's snapshot, for which an index would wait
	require.NoError(t, err)
	r.document("second", 200, 2)

	r.sweep()
	r.sweep()
	require.Less(t, r.state().PostingsUntil, id, "the slow one may still write its chunk")
	_, err = slow.Exec(r.ctx(), `insert into chunks (company_id, project_id, chunk_id, document_id, ordinal, start_offset, end_offset, body)
		select company_id, project_id, $1, document_id, 9999, 0, 6, 'zebrax' from documents where filename = 'first.txt'`, id)
	require.NoError(t, err)
	_, err = slow.Exec(r.ctx(), "insert into chunk_terms select company_id, project_id, $1, terms from chunk_terms order by chunk_id limit 1", id)
	require.NoError(t, err)
	require.NoError(t, slow.Commit(r.ctx()))
	require.Eventually(t, func() bool { r.sweep(); return r.state().PostingsUntil >= id }, 2*time.Minute, 10*time.Millisecond)
	require.Contains(t, r.found("Entryfirst0", search.Keyword), id, "it has the first chunk's words")
}

// TestSweep_waitsForTheNewestTransaction has one at work that no later one has outlived:
// a snapshot does not name it.
func TestSweep_waitsForTheNewestTransaction(t *testing.T) {
	t.Parallel()
	r := setupLargeIndex(t, owner)
	r.document("first", 350, 1)
	require.Eventually(t, func() bool { r.sweep(); return r.state().PostingsUntil > 0 }, 30*time.Second, 10*time.Millisecond)
	r.document("second", 60, 2)
	slow, err := r.store.Pool().Begin(r.ctx())
	require.NoError(t, err)
	defer slow.Rollback(context.Background())
	var id int64
	require.NoError(t, slow.QueryRow(r.ctx(), "select pg_current_xact_id()::text::bigint").Scan(&id))
	require.NoError(t, slow.QueryRow(r.ctx(), "select nextval(pg_get_serial_sequence('chunks', 'chunk_id'))").Scan(&id))
	_, err = slow.Exec(r.ctx(), "savepoint waiting") // as above
	require.NoError(t, err)
	r.sweep()
	require.Less(t, r.state().PostingsUntil, id)
}

func TestSweep_withoutTheOwner(t *testing.T) {
	t.Parallel()
	r := setupLargeIndex(t, func(url string) string { return url + "&options=-c%20role%3Ddocqa_app" })
	r.document("large", 320, 1)
	r.sweep()
	require.True(t, r.state().LargeIndex)
	require.Empty(t, r.indexes())
	require.NotEmpty(t, r.found("Entrylarge7", search.Hybrid))
}
