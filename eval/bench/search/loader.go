package search

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	pgxvec "github.com/pgvector/pgvector-go/pgx"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/ids"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

const (
	batchRows         = 2000
	chunksPerDocument = 500
	chunkDistance     = 4000 // code points from the start of one chunk to that of the next
	sentenceVectors   = 500  // how many different vectors the sentences have
)

// loader writes chunks into the database of a server. Terms and statistics are made by the service's own engine, vectors are made
// up from the text.
type loader struct {
	server   *harness.Server
	template string // the project that others are copied from
	nextID   int64  // of the next chunk
	vectors  bool
	pool     [][]float32 // the vectors of sentences
}

// newLoader makes a loader for s. vectors says whether the chunks get vectors.
func newLoader(ctx context.Context, s *harness.Server, vectors bool) (*loader, error) {
	l := &loader{server: s, vectors: vectors, nextID: 1}
	for i := range sentenceVectors {
		l.pool = append(l.pool, modelserver.Vector(fmt.Sprintf("sentence %d", i)))
	}
	made, err := s.Owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: "Template"}, mainapi.CreateProjectParams{})
	if err != nil {
		return nil, apiclient.Explain(err)
	}
	l.template = made.Project.ProjectID
	// Foreign keys are not checked row by row: the rows of one table are written before those of the next.
	if _, err := s.Conn.Exec(ctx, "set session_replication_role = replica; set synchronous_commit = off"); err != nil {
		return nil, err
	}
	return l, pgxvec.RegisterTypes(ctx, s.Conn)
}

// collection is a project that is being filled.
type collection struct {
	loader  *loader
	project string
	chunks  int
	stats   *lexical.Stats
	indexer *lexical.Indexer
}

// newCollection makes an empty project.
func (l *loader) newCollection(ctx context.Context) (*collection, error) {
	id := ids.New(ids.Project)
	_, err := l.server.Conn.Exec(ctx, `
insert into projects select (jsonb_populate_record(p, jsonb_build_object('project_id', $1::text, 'slug', $1::text, 'share_slug', null))).*
from projects p where project_id = $2`, id, l.template)
	return &collection{loader: l, project: id, stats: lexical.NewStats(), indexer: lexical.NewIndexer(lexical.English)}, err
}

// add writes n more chunks and renews the project's statistics. text returns the body of chunk i.
func (c *collection) add(ctx context.Context, n int, text func(i int) string) error {
	for done := 0; done < n; done += batchRows {
		if err := c.addBatch(ctx, min(batchRows, n-done), text); err != nil {
			return err
		}
	}
	model := ""
	if c.loader.vectors {
		model = modelserver.EmbeddingModel
	}
	terms, counts := c.stats.Pack()
	_, err := c.loader.server.Conn.Exec(ctx, `
insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks, total_chunks, stale, vector_model)
values ($1, $2, $3, $4, $5, $6, $3, $3, false, $7)
on conflict (company_id, project_id) do update set chunk_count = excluded.chunk_count, terms = excluded.terms, counts = excluded.counts,
  live_chunks = excluded.live_chunks, total_chunks = excluded.total_chunks, updated_at = clock_timestamp()`,
		c.loader.server.Company, c.project, c.stats.Passages, lexical.AverageLength, terms, counts, model)
	return err
}

// rows are a batch of rows for each table.
type rows struct{ documents, chunks, terms, vectors, sentences [][]any }

func (c *collection) addBatch(ctx context.Context, n int, text func(i int) string) error {
	var r rows
	document := ""
	for range n {
		if c.chunks%chunksPerDocument == 0 || document == "" {
			document = ids.New(ids.Document)
			name := fmt.Sprintf("volume-%05d", c.chunks/chunksPerDocument)
			r.documents = append(r.documents, c.row(document, name+".md", name, "indexed", "text/markdown", "markdown"))
		}
		c.addChunk(&r, document, text(c.chunks))
		c.chunks++
		c.loader.nextID++
	}
	tx, err := c.loader.server.Conn.Begin(ctx)
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

// row is a row of a tenant's table: the key of the project, then cells.
func (c *collection) row(cells ...any) []any {
	return append([]any{c.loader.server.Company, c.project}, cells...)
}

func (c *collection) addChunk(r *rows, document, body string) {
	terms := c.indexer.Terms(lexical.Passage{Body: body})
	weights := make(map[int32]float32, len(terms))
	for _, t := range terms {
		weights[t.Index] = t.Weight
		c.stats.Frequency[t.Index]++
	}
	c.stats.Passages++
	id := c.loader.nextID
	// Every second ordinal is left out: a search joins chunks that follow each other.
	ordinal, start := 2*(c.chunks%chunksPerDocument), 2*c.chunks*chunkDistance
	r.chunks = append(r.chunks, c.row(id, document, ordinal, start, start+utf8.RuneCountInString(body), body, c.indexer.Places(body)))
	r.terms = append(r.terms, c.row(id, pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions)))
	if c.loader.vectors {
		r.vectors = append(r.vectors, c.row(modelserver.EmbeddingModel, id, pgvector.NewHalfVector(modelserver.Vector(body))))
		r.sentences = append(r.sentences, c.row(id, modelserver.EmbeddingModel, c.loader.sentences(body)))
	}
}

// sentences returns packed vectors of the sentences of body, taken from the pool.
func (l *loader) sentences(body string) []byte {
	var list []sentvec.Sentence
	at := 0
	for part := range strings.SplitAfterSeq(body, ". ") {
		end := at + utf8.RuneCountInString(part)
		list = append(list, sentvec.Sentence{Start: at, End: end, Vector: l.pool[(int(l.nextID)*31+at)%len(l.pool)]})
		at = end
	}
	return sentvec.Pack(list)
}

// finish waits until the service has built the indexes of large projects, and gathers the planner's statistics.
func (l *loader) finish(ctx context.Context) error {
	_, err := l.server.Conn.Exec(ctx, "select setval(pg_get_serial_sequence('chunks', 'chunk_id'), $1)", l.nextID)
	if err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, l.server.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	queue, err := jobs.NewInserter(pool, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	made, err := queue.Insert(ctx, jobargs.MaintainLargeIndexes{}, nil)
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
	_, err = l.server.Conn.Exec(ctx, "analyze documents, chunks, chunk_terms, chunk_vectors, chunk_sentences, projects, project_lexstats")
	return err
}
