package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
)

// hit is what a search says of a passage.
type hit struct {
	chunks         string
	lexical, score float64
}

// hits searches through the large index of a project. With exact it scores every chunk
// instead: a filter that every document passes keeps the indexes out.
func (b *bundle) hits(text string, mode search.Mode, exact bool) []hit {
	b.t.Helper()
	q := search.Query{Text: text, TopK: 10, Mode: mode}
	if exact {
		q.Filters = map[string]any{"every": "document"}
	}
	res, err := b.search.Search(b.ctx(), b.CompanyID, b.project(), q)
	require.NoError(b.t, err)
	out := make([]hit, len(res.Passages))
	for i, p := range res.Passages {
		out[i] = hit{fmt.Sprint(p.ChunkIDs), p.Lexical, p.Score}
	}
	return out
}

// bring adds a document of so many chunks of random words, without vectors.
func (b *bundle) bring(random *rand.Rand, name string, chunks int) {
	pages := make([]string, chunks)
	for i := range pages {
		words := make([]string, 12)
		for j := range words {
			words[j] = word(int(random.ExpFloat64() * 12))
		}
		pages[i] = strings.Join(words, " ") + "."
	}
	factory.Document(b.t, b.store, b.Tenant, b.project(), name, pages...)
}

// remove deletes the documents of a name, or only their chunks, as a replacement does.
func (b *bundle) remove(name string, chunksOnly bool) {
	sql := "delete from documents where filename = $1"
	if chunksOnly {
		sql = "delete from chunks where document_id in (select document_id from documents where filename = $1)"
	}
	_, err := b.store.Pool().Exec(b.ctx(), sql, name)
	require.NoError(b.t, err)
}

// settled marks what was brought as indexed and makes the statistics anew, as the last of
// several ingestions does.
func (b *bundle) settled() {
	_, err := b.store.Pool().Exec(b.ctx(), `update documents set status = 'indexed', metadata = '{"every": "document"}'`)
	require.NoError(b.t, err)
	b.counted()
}

func TestSweep_anyHistoryIsSearchedAsExactly(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("history ", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 5))
			b := setup(t, owner)
			for n := range 8 {
				b.bring(random, strconv.Itoa(n), 60)
			}
			b.settled()
			b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
			for step := range 12 {
				var g errgroup.Group
				for range random.IntN(3) { // sweeps of other processes, also two at once
					g.Go(func() error { return b.newService().Sweep(t.Context()) })
				}
				for range 1 + random.IntN(5) {
					name := strconv.Itoa(random.IntN(10))
					if action := random.IntN(6); action > 0 {
						b.remove(name, action == 1)
						if action > 2 {
							b.bring(random, name, 30+random.IntN(60))
						}
					}
				}
				b.settled()
				for n := range 12 {
					if n == 6 {
						require.NoError(t, g.Wait())
					}
					text := strings.Join([]string{word(random.IntN(8)), word(random.IntN(20)), word(20 + random.IntN(40))}, " ")
					require.Equal(t, b.hits(text, search.Keyword, true), b.hits(text, search.Keyword, false), "step %d: %s", step, text)
				}
			}
			require.True(t, b.state().LargeIndex)
		})
	}
}

// TestSweep_deletedChunksCrowdNothingOut re-ingests half of the corpus again and again: the
// deleted chunks would be the best ones of every list.
func TestSweep_deletedChunksCrowdNothingOut(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	// So few vectors are scanned, unless a scan and a sort are no choice.
	s, err := store.Open(t.Context(), b.url+"&options=-c%20enable_sort%3Doff%20-c%20enable_seqscan%3Doff", store.Options{MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	b.search = search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: search.NewModels(lettered{})})
	bring := func(name string) {
		random := rand.New(rand.NewPCG(uint64(len(name)), 11)) // the same text each time
		pages := make([]string, 200)
		for i := range pages {
			words := make([]string, 30)
			for j := range words {
				words[j] = word(int(math.Pow(400, random.Float64())))
			}
			pages[i] = strings.Join(words, " ") + "."
		}
		factory.Document(t, b.store, b.Tenant, b.project(), name, pages...)
		b.settled()
		b.embed()
	}
	bring("kept")
	bring("changing")
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
	require.Contains(t, b.plan(), b.indexes()[0])
	for n := range 8 {
		b.remove("changing", false)
		bring("changing")
		if n == 4 {
			b.sweep()
		}
	}
	random := rand.New(rand.NewPCG(3, 3))
	for _, mode := range []search.Mode{search.Keyword, search.Semantic, search.Hybrid} {
		same, all := 0, 0
		for range 20 {
			text := word(random.IntN(20)) + " " + word(100+random.IntN(300)) + " " + word(20+random.IntN(80))
			got := b.hits(text, mode, false)
			for n, want := range b.hits(text, mode, true) {
				all++
				if n < len(got) && (got[n] == want || mode != search.Keyword && got[n].score >= want.score) {
					same++
				}
			}
		}
		require.Positive(t, all)
		if mode == search.Keyword {
			require.Equal(t, all, same)
		}
		require.GreaterOrEqual(t, float64(same), 0.97*float64(all), "%s: %d of %d", mode, same, all)
	}
}

func TestSweep_leavesAProjectToAnotherSweep(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	b.document("large", 400, 1)
	other, err := b.store.Pool().Begin(b.ctx())
	require.NoError(t, err)
	_, err = other.Exec(b.ctx(), "select pg_advisory_xact_lock(hashtextextended('postings ' || $1, 0))", b.project())
	require.NoError(t, err)
	b.sweep()
	require.False(t, b.state().LargeIndex, "and it is no failure")
	require.NoError(t, other.Rollback(b.ctx()))
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })

	var g errgroup.Group
	for range 3 {
		g.Go(func() error { return b.newService().Sweep(t.Context()) })
	}
	require.NoError(t, g.Wait())
	var twice int
	require.NoError(t, b.store.Pool().QueryRow(b.ctx(), `select count(*) from posting_segments a join posting_segments b
		on a.segment < b.segment and a.after_chunk_id < b.until_chunk_id and b.after_chunk_id < a.until_chunk_id`).Scan(&twice))
	require.Zero(t, twice, "no chunk is in two segments")
}

func TestSweep_waitsForTransactionsThatMayDeleteUnnoticed(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	random := rand.New(rand.NewPCG(4, 4))
	b.bring(random, "kept", 150)
	b.bring(random, "going", 200)
	b.settled()
	slow, err := b.store.Pool().Begin(b.ctx())
	require.NoError(t, err)
	_, err = slow.Exec(b.ctx(), "delete from chunks where document_id in (select document_id from documents where filename = 'going')")
	require.NoError(t, err)
	b.sweep()
	b.sweep()
	require.Zero(t, b.state().PostingsUntil, "the slow one has noted nothing")
	require.NoError(t, slow.Commit(b.ctx()))
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
	for n := range 10 {
		text := word(n) + " " + word(2*n+1)
		require.Equal(t, b.hits(text, search.Keyword, true), b.hits(text, search.Keyword, false))
	}
}

func TestDeletedChunks_areNotedForProjectsWithPostingsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, owner)
	random := rand.New(rand.NewPCG(4, 4))
	noted := func() (n int) {
		require.NoError(t, b.store.Pool().QueryRow(b.ctx(), "select count(*) from deleted_postings").Scan(&n))
		return n
	}
	b.bring(random, "small", 30)
	b.remove("small", true)
	require.Zero(t, noted())
	b.bring(random, "large", 400)
	b.settled()
	b.sweepUntil(func() bool { return b.state().PostingsUntil > 0 })
	b.bring(random, "next", 20)
	b.remove("next", false)
	require.Equal(t, 20, noted(), "by a cascade, too")
	b.sweep()
	require.Less(t, noted(), 21, "until a segment is written without them")
	_, err := b.store.Pool().Exec(b.ctx(), "delete from projects where company_id = $1", b.CompanyID)
	require.NoError(t, err, "a project goes with its notes")
	require.Zero(t, noted())
}
