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

type bundle struct {
	factory.Tenant
	t          *testing.T
	store      *store.Store
	url        string
	search     *search.Service
	newService func() *search.LargeIndexer // as another process has it
	sweep      func()
}

// setup opens a database for one project. connect changes the URL that sweeps connect
// with as the owner of the tables.
func setup(t *testing.T, connect func(url string) string) *bundle {
	t.Helper()
	b := &bundle{t: t, url: dbtest.URL(t)}
	s, err := store.Open(t.Context(), b.url, store.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	b.store = s
	b.Tenant = factory.NewTenant(t, s, factory.TenantOpts{})
	m := search.NewModels(lettered{})
	require.NoError(t, m.Register(t.Context(), s))
	b.search = search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: m})
	b.newService = func() *search.LargeIndexer {
		return search.NewLargeIndexer(search.LargeIndexDeps{
			Store: s, Owner: connect(b.url), Clock: clock.System(), Logger: slog.New(slog.DiscardHandler),
			LargeFrom: 300, SmallBelow: 100, Segment: 150,
		})
	}
	p := b.newService()
	t.Cleanup(b.dropIndexes) // the next test that gets this database has projects of its own
	b.sweep = func() { require.NoError(t, p.Sweep(t.Context())) }
	return b
}

func (b *bundle) dropIndexes() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, b.url)
	require.NoError(b.t, err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `do $$ declare name text; begin
		for name in select indexname from pg_indexes where indexname like 'chunk_vectors_hnsw%' loop execute format('drop index %I', name); end loop;
	end $$`)
	require.NoError(b.t, err)
}

func (b *bundle) ctx() context.Context { return b.Context(b.t.Context()) }

func (b *bundle) project() string { return b.Project.ProjectID }

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
func (b *bundle) document(name string, chunks int, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 7))
	pages := make([]string, chunks)
	for i := range pages {
		words := []string{fmt.Sprintf("Entry%s%d", name, i)}
		for range 30 {
			words = append(words, word(int(math.Pow(400, random.Float64()))))
		}
		pages[i] = strings.Join(words, " ") + "."
	}
	factory.Document(b.t, b.store, b.Tenant, b.project(), name+".txt", pages...)
	_, err := b.store.Pool().Exec(b.ctx(), "update documents set status = 'indexed'")
	require.NoError(b.t, err)
	b.counted()
	b.embed()
}

// embed makes the vectors that are missing.
func (b *bundle) embed() {
	s := embedding.New(embedding.Deps{Store: b.store, Models: search.NewModels(lettered{}), Clock: clock.System()})
	require.NoError(b.t, s.Reindex(b.ctx(), jobargs.ReindexProject{CompanyID: b.CompanyID, ProjectID: b.project(), Model: ""}, jobargs.Attempt{}))
}

// counted makes the statistics anew.
func (b *bundle) counted() {
	factory.Reindex(b.t, b.store, b.Tenant, b.project(), clock.System().Now())
	_, err := b.store.Pool().Exec(b.ctx(), "update project_lexstats set live_chunks = (select count(*) from chunks)")
	require.NoError(b.t, err)
}

func (b *bundle) state() dbsqlc.LargeIndexStateRow {
	b.t.Helper()
	row, err := dbsqlc.New().LargeIndexState(b.ctx(), b.store.Pool(), dbsqlc.LargeIndexStateParams{CompanyID: b.CompanyID, ProjectID: b.project()})
	require.NoError(b.t, err)
	return row
}

// indexes are the valid ones of the project's vectors.
func (b *bundle) indexes() []string {
	b.t.Helper()
	rows, err := b.store.Pool().Query(b.ctx(), "select indexname from pg_indexes where indexname like 'chunk_vectors_hnsw%' and strpos(indexdef, $1) > 0", b.project())
	require.NoError(b.t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.t, err)
	return names
}

// plan is how the vectors nearest to a question are found where a scan and a sort are no choice.
func (b *bundle) plan() (lines string) {
	b.t.Helper()
	tx, err := b.store.Pool().Begin(b.ctx())
	require.NoError(b.t, err)
	defer func() { _ = tx.Rollback(context.Background()) }()
	_, err = tx.Exec(b.ctx(), "set local enable_sort = off; set local enable_seqscan = off")
	require.NoError(b.t, err)
	rows, err := tx.Query(b.ctx(), "explain "+search.NearStatement(26), pgx.QueryExecModeCacheDescribe,
		b.CompanyID, b.project(), lettered{}.Model(), pgvector.NewHalfVector(make([]float32, 26)), 40)
	require.NoError(b.t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b.t, err)
	return strings.Join(all, "\n")
}

func (b *bundle) found(text string, mode search.Mode) []int64 {
	b.t.Helper()
	res, err := b.search.Search(b.ctx(), b.CompanyID, b.project(), search.Query{Text: text, TopK: 10, Mode: mode})
	require.NoError(b.t, err)
	ids := make([]int64, len(res.Passages))
	for i, p := range res.Passages {
		ids[i] = p.ChunkID
	}
	return ids
}

func owner(url string) string { return url }

// largeIndex gives the project a large index with its 600 chunks.
func (b *bundle) largeIndex() {
	b.t.Helper()
	b.document("small", 200, 1)
	b.document("large", 400, 2)
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
}

// sweepUntil sweeps until done returns true: transactions of other tests on the same server
// hold a sweep up as well.
func (b *bundle) sweepUntil(done func() bool) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { b.sweep(); return done() }, 2*time.Minute, 10*time.Millisecond)
}

func TestSweep_makesALargeIndex(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.document("small", 200, 1)
	b.sweep()
	require.False(t, b.state().LargeIndex)
	b.document("large", 400, 2)

	random := rand.New(rand.NewPCG(9, 9))
	var questions []string
	for range 40 {
		questions = append(questions, word(random.IntN(20))+" "+word(100+random.IntN(300))+" "+word(20+random.IntN(80)))
	}
	ask := func(mode search.Mode) (all [][]int64) {
		for _, q := range questions {
			all = append(all, b.found(q, mode))
		}
		return all
	}
	exact := map[search.Mode][][]int64{}
	for _, mode := range []search.Mode{search.Keyword, search.Semantic, search.Hybrid} {
		exact[mode] = ask(mode)
	}
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
	require.True(t, b.state().LargeIndex)
	require.Len(t, b.indexes(), 1)
	require.Contains(t, b.plan(), b.indexes()[0], "row-level security does not keep the index out")
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
}

func TestSweep_findsTheNewestChunksBeforeTheyAreInASegment(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.largeIndex()
	b.document("late", 5, 3)
	require.NotEmpty(t, b.found("Entrylate3", search.Keyword))
	until := b.state().PostingsUntil
	b.sweep()
	require.Equal(t, until, b.state().PostingsUntil, "a few are not worth a segment")
	require.NotEmpty(t, b.found("Entrylate3", search.Keyword))
	b.document("later", 40, 4)
	b.sweepUntil(func() bool { return b.state().PostingsUntil > until })
	for _, q := range []string{"Entrylate3", "Entrylater39", "Entrysmall0", "Entrylarge399"} {
		require.NotEmpty(t, b.found(q, search.Keyword), q)
	}
}

func TestSweep_givesAnotherModelAnIndexOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.largeIndex()
	before := b.indexes()
	require.Len(t, before, 1)
	_, err := b.store.Pool().Exec(store.AsSystem(t.Context(), "test"), "insert into vector_models values ('other', 26)")
	require.NoError(t, err)
	_, err = b.store.Pool().Exec(b.ctx(), "update project_lexstats set vector_model = 'other'")
	require.NoError(t, err)
	b.sweep()
	require.Len(t, b.indexes(), 1)
	require.NotEqual(t, before, b.indexes())
}

func TestSweep_removesTheLargeIndexOfAProjectThatShrinks(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.largeIndex()
	b.document("later", 40, 4)
	_, err := b.store.Pool().Exec(b.ctx(), "delete from documents where filename <> 'later.txt'")
	require.NoError(t, err)
	b.counted()
	b.sweep()
	require.False(t, b.state().LargeIndex)
	require.Zero(t, b.state().PostingsUntil)
	require.Empty(t, b.indexes())
	require.NotEmpty(t, b.found("Entrylater3", search.Keyword))
}

func TestSweep_waitsForTransactionsThatMayBringChunks(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.document("first", 350, 1)
	slow, err := b.store.Pool().Begin(b.ctx())
	require.NoError(t, err)
	var id int64
	require.NoError(t, slow.QueryRow(b.ctx(), "select pg_current_xact_id()::text::bigint").Scan(&id))
	require.NoError(t, slow.QueryRow(b.ctx(), "select nextval(pg_get_serial_sequence('chunks', 'chunk_id'))").Scan(&id))
	_, err = slow.Exec(b.ctx(), "savepoint waiting") // ends the last statement's snapshot, for which an index would wait
	require.NoError(t, err)
	b.document("second", 200, 2)

	b.sweep()
	b.sweep()
	require.Less(t, b.state().PostingsUntil, id, "the slow one may still write its chunk")
	_, err = slow.Exec(b.ctx(), `insert into chunks (company_id, project_id, chunk_id, document_id, ordinal, start_offset, end_offset, body)
		select company_id, project_id, $1, document_id, 9999, 0, 6, 'zebrax' from documents where filename = 'first.txt'`, id)
	require.NoError(t, err)
	_, err = slow.Exec(b.ctx(), "insert into chunk_terms select company_id, project_id, $1, terms from chunk_terms order by chunk_id limit 1", id)
	require.NoError(t, err)
	require.NoError(t, slow.Commit(b.ctx()))
	b.sweepUntil(func() bool { return b.state().PostingsUntil >= id })
	require.Contains(t, b.found("Entryfirst0", search.Keyword), id, "it has the first chunk's words")
}

// TestSweep_waitsForTheNewestTransaction has one at work that no later one has outlived:
// a snapshot does not name it.
func TestSweep_waitsForTheNewestTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.document("first", 350, 1)
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
	b.document("second", 60, 2)
	slow, err := b.store.Pool().Begin(b.ctx())
	require.NoError(t, err)
	defer slow.Rollback(context.Background())
	var id int64
	require.NoError(t, slow.QueryRow(b.ctx(), "select pg_current_xact_id()::text::bigint").Scan(&id))
	require.NoError(t, slow.QueryRow(b.ctx(), "select nextval(pg_get_serial_sequence('chunks', 'chunk_id'))").Scan(&id))
	_, err = slow.Exec(b.ctx(), "savepoint waiting") // as above
	require.NoError(t, err)
	b.sweep()
	require.Less(t, b.state().PostingsUntil, id)
}

func TestSweep_withoutTheOwner(t *testing.T) {
	t.Parallel()
	b := setup(t, func(url string) string { return url + "&options=-c%20role%3Ddocqa_app" })
	b.document("large", 320, 1)
	b.sweep()
	require.True(t, b.state().LargeIndex)
	require.Empty(t, b.indexes())
	require.NotEmpty(t, b.found("Entrylarge7", search.Hybrid))
}
