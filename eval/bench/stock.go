package bench

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	pgxvec "github.com/pgvector/pgvector-go/pgx"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/ids"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

const (
	stockModel      = "bench" // of the vectors that are made up
	stockDimensions = 384
	stockBatch      = 2000 // rows at once
	stockDocument   = 500  // chunks of a document
	stockWidth      = 4000 // code points from one chunk to the next
)

// stock writes chunks into the database as an ingestion leaves them, without files: a million of them would
// take the parser and the model hours. Words and statistics are made by the service's own engine; vectors are
// made up from the text.
type stock struct {
	h        *house
	template string // the project that others are made after
	next     int64  // chunk id
	vectors  bool
	pool     [][]float32 // directions of sentences
}

// stocked returns a stock in the house.
func (b *bench) stocked(ctx context.Context, h *house, vectors bool) (*stock, error) {
	s := &stock{h: h, vectors: vectors, next: 1}
	for i := range 500 {
		s.pool = append(s.pool, vectorOf(fmt.Sprintf("sentence %d", i)))
	}
	made, err := h.owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: "Template"}, mainapi.CreateProjectParams{})
	if err != nil {
		return nil, apiclient.Explain(err)
	}
	s.template = made.Project.ProjectID
	// Rows of one table are written before those of the next: nothing is checked row by row.
	if _, err := h.conn.Exec(ctx, "set session_replication_role = replica; set synchronous_commit = off"); err != nil {
		return nil, err
	}
	return s, pgxvec.RegisterTypes(ctx, h.conn)
}

// project makes an empty project.
func (s *stock) project(ctx context.Context) (string, error) {
	id := ids.New(ids.Project)
	_, err := s.h.conn.Exec(ctx, `
insert into projects select (jsonb_populate_record(p, jsonb_build_object('project_id', $1::text, 'slug', $1::text, 'share_slug', null))).*
from projects p where project_id = $2`, id, s.template)
	return id, err
}

// filling is what has gone into a project.
type filling struct {
	project string
	chunks  int
	stats   *lexical.Stats
	indexer *lexical.Indexer
}

func (s *stock) begin(project string) *filling {
	return &filling{project: project, stats: lexical.NewStats(), indexer: lexical.NewIndexer(lexical.English)}
}

// add writes n more chunks into a project and makes its statistics anew; text gives each its body.
func (s *stock) add(ctx context.Context, f *filling, n int, text func(i int) string) error {
	for done := 0; done < n; done += stockBatch {
		if err := s.batch(ctx, f, min(stockBatch, n-done), text); err != nil {
			return err
		}
	}
	model := ""
	if s.vectors {
		model = stockModel
	}
	terms, counts := f.stats.Pack()
	_, err := s.h.conn.Exec(ctx, `
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks, total_chunks, stale, vector_model)
values ($1, $2, $3, $4, $5, $6, $3, $3, false, $7)
on conflict (company_id, project_id) do update set chunk_count = excluded.chunk_count, terms = excluded.terms, counts = excluded.counts,
  live_chunks = excluded.live_chunks, total_chunks = excluded.total_chunks, updated_at = clock_timestamp()`,
		s.h.company, f.project, f.stats.Passages, lexical.AverageLength, terms, counts, model)
	return err
}

// rows are a batch for each table.
type rows struct{ documents, chunks, terms, vectors, sentences [][]any }

func (s *stock) batch(ctx context.Context, f *filling, n int, text func(i int) string) error {
	var r rows
	document := ""
	for range n {
		if f.chunks%stockDocument == 0 || document == "" {
			document = ids.New(ids.Document)
			name := fmt.Sprintf("volume-%05d", f.chunks/stockDocument)
			r.documents = append(r.documents, []any{s.h.company, f.project, document, name + ".md", name, "indexed", "text/markdown", "markdown"})
		}
		s.chunk(f, &r, document, text(f.chunks))
		f.chunks++
		s.next++
	}
	tx, err := s.h.conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	key := []string{"company_id", "project_id"}
	for _, t := range []struct {
		name    string
		columns []string
		rows    [][]any
	}{
		{"documents", append(key, "document_id", "filename", "title", "status", "content_type", "format"), r.documents},
		{"chunks", append(key, "chunk_id", "document_id", "ordinal", "start_offset", "end_offset", "body", "stems"), r.chunks},
		{"chunk_terms", append(key, "chunk_id", "terms"), r.terms},
		{"chunk_vectors", append(key, "model", "chunk_id", "embedding"), r.vectors},
		{"chunk_sentences", append(key, "chunk_id", "model", "vectors"), r.sentences},
	} {
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{t.name}, t.columns, pgx.CopyFromRows(t.rows)); err != nil {
			return fmt.Errorf("copy into %s: %w", t.name, err)
		}
	}
	return tx.Commit(ctx)
}

func (s *stock) chunk(f *filling, r *rows, document, body string) {
	terms := f.indexer.Terms(lexical.Passage{Body: body})
	weights := make(map[int32]float32, len(terms))
	for _, t := range terms {
		weights[t.Index] = t.Weight
		f.stats.Frequency[t.Index]++
	}
	f.stats.Passages++
	key := []any{s.h.company, f.project}
	row := func(cells ...any) []any { return append(key[:2:2], cells...) }
	// Every second place: neighbours would be joined to one passage.
	start := 2 * f.chunks * stockWidth
	r.chunks = append(r.chunks, row(s.next, document, 2*(f.chunks%stockDocument), start, start+utf8.RuneCountInString(body), body, f.indexer.Places(body)))
	r.terms = append(r.terms, row(s.next, pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions)))
	if s.vectors {
		r.vectors = append(r.vectors, row(stockModel, s.next, pgvector.NewHalfVector(vectorOf(body))))
		r.sentences = append(r.sentences, row(s.next, stockModel, s.sentences(body)))
	}
}

// sentences are the packed vectors of the sentences of body, each one of a few directions.
func (s *stock) sentences(body string) []byte {
	var list []sentvec.Sentence
	at := 0
	for part := range strings.SplitAfterSeq(body, ". ") {
		end := at + utf8.RuneCountInString(part)
		list = append(list, sentvec.Sentence{Start: at, End: end, Vector: s.pool[(int(s.next)*31+at)%len(s.pool)]})
		at = end
	}
	return sentvec.Pack(list)
}

// settle has the planner know the rows, and the service make the indexes of its own that large projects get.
func (s *stock) settle(ctx context.Context) error {
	_, err := s.h.conn.Exec(ctx, "select setval(pg_get_serial_sequence('chunks', 'chunk_id'), $1)", s.next)
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, s.h.database)
	if err != nil {
		return err
	}
	defer pool.Close()
	queue, err := jobs.NewInserter(pool, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	made, err := queue.Insert(ctx, jobargs.PromoteProjects{}, nil)
	if err != nil {
		return err
	}
	for done := false; !done; {
		if err := pool.QueryRow(ctx, "select finalized_at is not null from river_job where id = $1", made.Job.ID).Scan(&done); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	_, err = s.h.conn.Exec(ctx, "analyze documents, chunks, chunk_terms, chunk_vectors, chunk_sentences, projects, project_lexstats")
	return err
}

// vectorOf is a direction that depends on the text alone; different texts have unrelated ones.
func vectorOf(text string) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	random := rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // wants repeatability
	v := make([]float32, stockDimensions)
	sum := 0.
	for i := range v {
		x := random.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
