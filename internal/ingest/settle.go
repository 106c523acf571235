package ingest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// The document frequencies of a project are exact up to exactChunks chunks. Above that, a sample
// of about sampleChunks chunks is counted: it weighs the terms as well and is read quickly.
const (
	exactChunks  = 20_000
	sampleChunks = 5_000
	termsPage    = 1_000
)

// settler updates what is derived from a project's documents: its statistics and its status.
type settler struct {
	q     *dbsqlc.Queries
	clock clock.Clock
}

// settle is called in the transaction of every change that ends or removes an ingestion, after
// that change. It holds the project's lock, so one of several ingestions that end at once is the
// last one; that one makes the project live and counts the statistics again. Before that, the
// statistics are counted only when the project has grown by half, so a large import reads the
// chunks a few times only. added is by how many chunks the transaction changed the project; nil
// if it changed none.
func (s settler) settle(ctx context.Context, tx pgx.Tx, companyID, projectID string, added *int32) error {
	_, err := s.q.ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return store.RowError("lock project", err)
	}
	if added != nil {
		err := s.q.LexstatsChanged(ctx, tx, dbsqlc.LexstatsChangedParams{CompanyID: companyID, ProjectID: projectID, Added: *added, Now: s.clock.Now()})
		if err != nil {
			return fmt.Errorf("mark the statistics: %w", err)
		}
	}
	busy, err := s.q.DocumentAnyProcessing(ctx, tx, dbsqlc.DocumentAnyProcessingParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return fmt.Errorf("look for ingestions: %w", err)
	}
	if err := s.refresh(ctx, tx, companyID, projectID, busy); err != nil {
		return fmt.Errorf("refresh the statistics: %w", err)
	}
	if busy {
		return nil
	}
	_, err = s.q.ProjectGoLive(ctx, tx, dbsqlc.ProjectGoLiveParams{CompanyID: companyID, ProjectID: projectID, Now: s.clock.Now()})
	if err != nil {
		return fmt.Errorf("go live: %w", err)
	}
	return nil
}

// refresh counts the statistics again if they are stale: always when no ingestion runs, otherwise
// only when the project has grown by half.
func (s settler) refresh(ctx context.Context, tx pgx.Tx, companyID, projectID string, busy bool) error {
	state, err := s.q.LexstatsState(ctx, tx, dbsqlc.LexstatsStateParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	grown := state.LiveChunks*2 >= state.TotalChunks*3
	if !state.Stale || busy && !grown {
		return nil
	}
	stats, err := s.count(ctx, tx, companyID, projectID, state.LiveChunks)
	if err != nil {
		return err
	}
	terms, counts := stats.Pack()
	return s.q.LexstatsUpsert(ctx, tx, dbsqlc.LexstatsUpsertParams{
		CompanyID: companyID, ProjectID: projectID, ChunkCount: int32(stats.Passages),
		AverageLength: lexical.AverageLength, Terms: terms, Counts: counts, TotalChunks: state.LiveChunks, Now: s.clock.Now(),
	})
}

// count counts the document frequencies from the project's term vectors, all of them or a sample.
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
