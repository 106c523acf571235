package search_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// stamped gives each chunk that the model has not read a vector: the nth direction.
func stamped(t *testing.T, s *store.Store, ten factory.Tenant, model string) []dbsqlc.ChunkVectorsMissingRow {
	t.Helper()
	ctx, q := ten.Context(t.Context()), dbsqlc.New()
	rows, err := q.ChunkVectorsMissing(ctx, s.Pool(), dbsqlc.ChunkVectorsMissingParams{
		CompanyID: ten.CompanyID, ProjectID: ten.Project.ProjectID, Model: model, RowLimit: 100,
	})
	require.NoError(t, err)
	params := make([]dbsqlc.ChunkVectorsInsertParams, len(rows))
	for i, row := range rows {
		params[i] = dbsqlc.ChunkVectorsInsertParams{
			CompanyID: ten.CompanyID, ProjectID: ten.Project.ProjectID, ChunkID: row.ChunkID, Model: model, Embedding: direction(i),
		}
	}
	q.ChunkVectorsInsert(ctx, s.Pool(), params).Exec(func(_ int, err error) { require.NoError(t, err) })
	return rows
}

func direction(n int) pgvector.HalfVector {
	v := make([]float32, 8)
	v[n] = 1
	return pgvector.NewHalfVector(v)
}

func TestChunkSearch_candidates(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten, other := corpus(t, s), corpus(t, s)
	rows, foreign := stamped(t, s, ten, "m@1"), stamped(t, s, other, "m@1")
	require.Len(t, rows, 4)
	words := map[int32]float32{}
	for _, term := range lexical.NewIndexer(lexical.English).Terms(lexical.Passage{Body: "delivery"}) {
		if term.Weight > 0.1 { // not what marks a language
			words[term.Index] = 1
		}
	}
	search := func(p dbsqlc.ChunkSearchParams) map[int64]dbsqlc.ChunkSearchRow {
		p.CompanyID, p.ProjectID, p.Vector = ten.CompanyID, ten.Project.ProjectID, direction(0)
		p.Query = pgvector.NewSparseVectorFromMap(words, lexical.Dimensions)
		found, err := dbsqlc.New().ChunkSearch(ten.Context(t.Context()), s.Pool(), p)
		require.NoError(t, err)
		byID := make(map[int64]dbsqlc.ChunkSearchRow, len(found))
		for _, row := range found {
			byID[row.ChunkID] = row
		}
		require.Len(t, byID, len(found), "each chunk once")
		return byID
	}
	both := search(dbsqlc.ChunkSearchParams{Model: "m@1", RowLimit: 1})
	require.Len(t, both, 2, "the best of both sides")
	require.InDelta(t, 1, both[rows[0].ChunkID].Cosine, 1e-3)
	for id, row := range both {
		if id != rows[0].ChunkID {
			require.Positive(t, row.Bm25)
			require.Contains(t, row.Body, "Delivery")
			require.InDelta(t, 0, row.Cosine, 1e-3, "each has both scores")
		}
	}
	require.Len(t, search(dbsqlc.ChunkSearchParams{Model: "m@1", RowLimit: 10}), 4, "never another company's")

	semantic := search(dbsqlc.ChunkSearchParams{Model: "m@1", RowLimit: 1, Semantic: true})
	require.Len(t, semantic, 1)
	require.Contains(t, semantic, rows[0].ChunkID)

	cited := rows[3].ChunkID
	grounded := search(dbsqlc.ChunkSearchParams{Model: "m@1", RowLimit: 1, CitedChunks: []int64{cited, rows[0].ChunkID, foreign[1].ChunkID, 1 << 60}})
	require.Len(t, grounded, 3, "one more, of this project, that is there")
	require.Contains(t, grounded, cited)

	for _, row := range search(dbsqlc.ChunkSearchParams{Model: "m@2", RowLimit: 10}) {
		require.Zero(t, row.Cosine, "another model's vectors are not compared")
		require.Positive(t, row.Bm25)
	}
	for _, row := range search(dbsqlc.ChunkSearchParams{RowLimit: 10}) {
		require.Zero(t, row.Cosine, "no model, no vectors")
	}
}

func TestChunkVectors_switch(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	ctx, q, project := ten.Context(t.Context()), dbsqlc.New(), ten.Project.ProjectID
	count := func(model string) int32 {
		n, err := q.ChunkVectorsCount(ctx, s.Pool(), dbsqlc.ChunkVectorsCountParams{CompanyID: ten.CompanyID, ProjectID: project, Model: model})
		require.NoError(t, err)
		return n
	}
	require.Len(t, stamped(t, s, ten, "old"), 4)
	require.Empty(t, stamped(t, s, ten, "old"), "nothing is missing")
	rows := stamped(t, s, ten, "new")
	require.Equal(t, []int32{4, 4}, []int32{count("old"), count("new")}, "built beside")

	gone, err := q.ChunkVectorsDeleteOthers(ctx, s.Pool(), dbsqlc.ChunkVectorsDeleteOthersParams{CompanyID: ten.CompanyID, ProjectID: project, Model: "new"})
	require.NoError(t, err)
	require.Equal(t, int64(4), gone)
	require.Equal(t, []int32{0, 4}, []int32{count("old"), count("new")})

	_, err = s.Pool().Exec(ctx, "delete from chunks where company_id = $1 and chunk_id = $2", ten.CompanyID, rows[0].ChunkID)
	require.NoError(t, err)
	require.Equal(t, int32(3), count("new"), "a chunk takes its vectors along")
	q.ChunkVectorsInsert(ctx, s.Pool(), []dbsqlc.ChunkVectorsInsertParams{{
		CompanyID: ten.CompanyID, ProjectID: project, ChunkID: rows[0].ChunkID, Model: "new", Embedding: direction(0),
	}}).Exec(func(_ int, err error) { require.NoError(t, err, "a vector that comes too late is dropped") })
	require.Equal(t, int32(3), count("new"))

	other := factory.NewTenant(t, s, factory.TenantOpts{})
	var seen int
	err = s.Pool().QueryRow(other.Context(t.Context()), "select count(*) from chunk_vectors").Scan(&seen)
	require.NoError(t, err)
	require.Zero(t, seen, "row-level security")
}

// TestChunkSearch_readsWhatItNeeds counts the scans of each table, by the plan that is kept.
func TestChunkSearch_readsWhatItNeeds(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	rows := stamped(t, s, ten, "m@1")
	scans := func(p dbsqlc.ChunkSearchParams) map[string]int {
		p.CompanyID, p.ProjectID, p.Vector, p.RowLimit = ten.CompanyID, ten.Project.ProjectID, direction(0), 40
		p.Query = pgvector.NewSparseVectorFromMap(map[int32]float32{1: 1}, lexical.Dimensions)
		counts := map[string]int{}
		err := s.InTx(ten.Context(t.Context()), func(ctx context.Context, tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "set local plan_cache_mode = force_generic_plan"); err != nil {
				return err
			}
			count := func(sign int) error { // with what the connection did before
				rows, err := tx.Query(ctx, "select relname::text, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::integer from pg_stat_xact_user_tables")
				if err != nil {
					return err
				}
				var table string
				var n int
				_, err = pgx.ForEachRow(rows, []any{&table, &n}, func() error { counts[table] += sign * n; return nil })
				return err
			}
			if err := count(-1); err != nil {
				return err
			}
			found, err := dbsqlc.New().ChunkSearch(ctx, tx, p)
			if err != nil {
				return err
			}
			require.Len(t, found, 4)
			return count(1)
		})
		require.NoError(t, err)
		return counts
	}
	all := make([]int64, len(rows))
	for i, row := range rows {
		all[i] = row.ChunkID
	}
	keyword := scans(dbsqlc.ChunkSearchParams{CitedChunks: all})
	require.Positive(t, keyword["chunk_terms"])
	require.Zero(t, keyword["chunk_vectors"], "by words alone no vector is read")
	require.Zero(t, keyword["chunk_sentences"])

	both := scans(dbsqlc.ChunkSearchParams{CitedChunks: all, Model: "m@1"})
	require.Positive(t, both["chunk_vectors"])
	require.Positive(t, both["chunk_sentences"])

	named := scans(dbsqlc.ChunkSearchParams{Model: "m@1", Indexed: true, ByWords: all[:2], ByMeaning: all})
	require.LessOrEqual(t, named["chunk_terms"], 2+4, "where indexes name the candidates there is no scan: one look-up for each")
	require.LessOrEqual(t, named["chunk_vectors"], 4+4)
}
