package documents

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/clock"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
)

// The document frequencies are exact up to exactChunks chunks; beyond that a sample of
// about sampleChunks weighs the terms as well and is read in a blink.
const (
	exactChunks  = 20_000
	sampleChunks = 5_000
	termsPage    = 1_000
)

// settler brings what is derived from a project's documents up to date.
type settler struct {
	q     *dbsqlc.Queries
	clock clock.Clock
}

// settle is called in the transaction of every change that ends or removes an
// ingestion, after that change. Under the project's lock one of several that end at
// once is the last one, and does what is due then: the project goes live, and the
// statistics are made anew. On the way they are made anew only when the project has
// grown by half, so that all of it costs no more than a few passes over the chunks.
// chunksCame says that the transaction has added chunks.
func (s settler) settle(ctx context.Context, tx pgx.Tx, companyID, projectID string, chunksCame bool) error {
	_, err := s.q.ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return notFound("lock project", err)
	}
	if chunksCame {
		err := s.q.LexstatsMarkStale(ctx, tx, dbsqlc.LexstatsMarkStaleParams{CompanyID: companyID, ProjectID: projectID, Now: s.clock.Now()})
		if err != nil {
			return fmt.Errorf("mark the statistics: %w", err)
		}
	}
	totals, err := s.q.DocumentTotals(ctx, tx, dbsqlc.DocumentTotalsParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return fmt.Errorf("count documents: %w", err)
	}
	if err := s.refresh(ctx, tx, companyID, projectID, totals); err != nil {
		return fmt.Errorf("refresh the statistics: %w", err)
	}
	if totals.Unsettled > 0 {
		return nil
	}
	_, err = s.q.ProjectGoLive(ctx, tx, dbsqlc.ProjectGoLiveParams{CompanyID: companyID, ProjectID: projectID, Now: s.clock.Now()})
	if err != nil {
		return fmt.Errorf("go live: %w", err)
	}
	return nil
}

func (s settler) refresh(ctx context.Context, tx pgx.Tx, companyID, projectID string, totals dbsqlc.DocumentTotalsRow) error {
	state, err := s.q.LexstatsState(ctx, tx, dbsqlc.LexstatsStateParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	grown := totals.Chunks*2 >= state.TotalChunks*3
	if !state.Stale || totals.Unsettled > 0 && !grown {
		return nil
	}
	stats, err := s.count(ctx, tx, companyID, projectID, totals.Chunks)
	if err != nil {
		return err
	}
	terms, counts := stats.Pack()
	return s.q.LexstatsUpsert(ctx, tx, dbsqlc.LexstatsUpsertParams{
		CompanyID: companyID, ProjectID: projectID, ChunkCount: int32(stats.Passages),
		AverageLength: lexical.AverageLength, Terms: terms, Counts: counts, TotalChunks: totals.Chunks, Now: s.clock.Now(),
	})
}

// count reads the project's term vectors, all of them or a sample.
func (s settler) count(ctx context.Context, tx pgx.Tx, companyID, projectID string, chunks int32) (*lexical.Stats, error) {
	page := dbsqlc.ChunkTermsPageParams{CompanyID: companyID, ProjectID: projectID, AfterChunkID: 0, Every: 1, RowLimit: termsPage}
	if chunks > exactChunks {
		page.Every = chunks / sampleChunks
	}
	stats := lexical.NewStats()
	for {
		rows, err := s.q.ChunkTermsPage(ctx, tx, page)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			stats.Passages++
			for _, term := range row.Terms.Indices() {
				stats.Frequency[term]++
			}
			page.AfterChunkID = row.ChunkID
		}
		if len(rows) < termsPage {
			return stats, nil
		}
	}
}
