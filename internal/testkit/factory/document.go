package factory

import (
	"context"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// Document indexes texts as the pages of one document of the project and returns its id. A
// single text makes a document without pages. Call Reindex afterwards to compute the
// statistics.
func Document(tb testing.TB, s *store.Store, ten Tenant, projectID, filename string, pages ...string) string {
	tb.Helper()
	extracted := &doc.Document{}
	for i, text := range pages {
		number := 0
		if len(pages) > 1 {
			number = i + 1
		}
		b := doc.NewSourceBuilder(number, text)
		for start, rest := 0, text; rest != ""; {
			part, after, _ := strings.Cut(rest, "\n\n")
			b.Mark(doc.Paragraph, 0, start, start+len(part))
			start, rest = start+len(part)+2, after
		}
		extracted.Pages = append(extracted.Pages, b.Page())
	}
	return Extracted(tb, s, ten, projectID, filename, extracted)
}

// Extracted is Document for a document that a parser extracted.
func Extracted(tb testing.TB, s *store.Store, ten Tenant, projectID, filename string, extracted *doc.Document) string {
	tb.Helper()
	title := strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSuffix(filename, path.Ext(filename)))
	row, err := dbsqlc.New().DocumentCreate(ten.Context(tb.Context()), s.Pool(), dbsqlc.DocumentCreateParams{
		CompanyID: ten.CompanyID, ProjectID: projectID, DocumentID: ids.New(ids.Document), Filename: filename, Title: title,
		ContentType: "text/plain", Format: "txt", SourceType: "upload", Now: Epoch(),
	})
	require.NoError(tb, err)
	insertChunks(tb, s, ten, row, chunk.Split(extracted, title, chunk.Options{}))
	return row.DocumentID
}

func insertChunks(tb testing.TB, s *store.Store, ten Tenant, row dbsqlc.Document, chunks []chunk.Chunk) {
	tb.Helper()
	err := s.InTx(ten.Context(tb.Context()), func(ctx context.Context, tx pgx.Tx) error {
		// An ingestion writes before it reserves ids, and postings wait for such transactions.
		if _, err := tx.Exec(ctx, "select pg_current_xact_id()"); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "select nextval(pg_get_serial_sequence('chunks', 'chunk_id')) from generate_series(1, $1)", len(chunks))
		if err != nil {
			return err
		}
		reserved, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		return tx.SendBatch(ctx, chunkRows(ten, row, chunks, reserved)).Close()
	})
	require.NoError(tb, err)
}

func chunkRows(ten Tenant, row dbsqlc.Document, chunks []chunk.Chunk, reserved []int64) *pgx.Batch {
	indexer := lexical.NewIndexer(lexical.Detect(chunks[0].Text))
	batch := &pgx.Batch{}
	for i, c := range chunks {
		var page *int
		if c.Page > 0 {
			page = &c.Page
		}
		weights := map[int32]float32{}
		for _, term := range indexer.Terms(lexical.Passage{Title: c.Title, HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text}) {
			weights[term.Index] = term.Weight
		}
		batch.Queue(`insert into chunks (company_id, project_id, chunk_id, document_id, ordinal, page, start_offset, end_offset, heading_path, context, body, lead, stems)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			ten.CompanyID, row.ProjectID, reserved[i], row.DocumentID, c.Ordinal, page, c.Start, c.End, c.HeadingPath, c.Context, c.Text, c.Lead, indexer.Places(c.Text))
		batch.Queue("insert into chunk_terms (company_id, project_id, chunk_id, terms) values ($1, $2, $3, $4)",
			ten.CompanyID, row.ProjectID, reserved[i], pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions))
	}
	return batch
}

// Reindex computes the project's statistics again, as of the given time.
func Reindex(tb testing.TB, s *store.Store, ten Tenant, projectID string, at time.Time) {
	tb.Helper()
	ctx, q := ten.Context(tb.Context()), dbsqlc.New()
	rows, err := q.ChunkTermsPage(ctx, s.Pool(), dbsqlc.ChunkTermsPageParams{
		CompanyID: ten.CompanyID, ProjectID: projectID, Every: 1, RowLimit: 400,
	})
	require.NoError(tb, err)
	stats := lexical.NewStats()
	for _, row := range rows {
		indices, weights := row.Terms.Indices(), row.Terms.Values()
		terms := make([]lexical.Term, len(indices))
		for i, index := range indices {
			terms[i] = lexical.Term{Index: index, Weight: weights[i]}
		}
		stats.Add(terms)
	}
	terms, counts := stats.Pack()
	require.NoError(tb, q.LexstatsUpsert(ctx, s.Pool(), dbsqlc.LexstatsUpsertParams{
		CompanyID: ten.CompanyID, ProjectID: projectID, ChunkCount: int32(stats.Passages), AverageLength: lexical.AverageLength,
		Terms: terms, Counts: counts, TotalChunks: int32(stats.Passages), Now: at,
	}))
}
