package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// The sizes in chunks at which a project gets a large index and loses it. Between the two it
// stays as it is, so that a project at the limit is not rebuilt all the time.
const (
	largeFrom  = 25_000
	smallBelow = 15_000
)

// LargeIndexDeps are what a LargeIndexer needs.
type LargeIndexDeps struct {
	Store *store.Store
	// Owner is the URL of the database as the owner of its tables: only the owner can create indexes.
	Owner  string
	Clock  clock.Clock
	Logger *slog.Logger
	// Sizes in chunks, for tests; 0: largeFrom, smallBelow, segmentChunks.
	LargeFrom, SmallBelow, Segment int
}

// LargeIndexer gives projects of many chunks indexes of their own, and removes those of
// projects that have shrunk. Any number of them may run at once: one skips the projects that
// another one is working on.
type LargeIndexer struct {
	LargeIndexDeps
	q *dbsqlc.Queries
}

// NewLargeIndexer returns a LargeIndexer.
func NewLargeIndexer(d LargeIndexDeps) *LargeIndexer {
	if d.LargeFrom == 0 {
		d.LargeFrom, d.SmallBelow = largeFrom, smallBelow
	}
	if d.Segment == 0 {
		d.Segment = segmentChunks
	}
	return &LargeIndexer{LargeIndexDeps: d, q: dbsqlc.New()}
}

// Sweep brings the large indexes of all projects up to date. If it is interrupted, the next
// one continues.
func (x *LargeIndexer) Sweep(ctx context.Context) error {
	system := store.AsSystem(ctx, "projects of every company grow")
	rows, err := x.q.LargeIndexProjects(system, x.Store.Pool(), int32(x.LargeFrom))
	if err != nil {
		return fmt.Errorf("find large projects: %w", err)
	}
	var errs []error // an error in one project must not stop the others
	for _, row := range rows {
		err := x.project(store.AsCompany(ctx, row.CompanyID), project{companyID: row.CompanyID, projectID: row.ProjectID})
		if err != nil && !errors.Is(err, errOvertaken) {
			errs = append(errs, fmt.Errorf("index project %s: %w", row.ProjectID, err))
		}
	}
	return errors.Join(errs...)
}

func (x *LargeIndexer) project(ctx context.Context, p project) error {
	state, err := x.state(ctx, p)
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	p.epoch = state.PostingsEpoch
	if int(state.LiveChunks) < x.SmallBelow {
		return x.removeIndexes(ctx, p)
	}
	if !state.PostingsTracked {
		if err := x.track(ctx, p); err != nil {
			return fmt.Errorf("note deleted chunks: %w", err)
		}
		if state, err = x.state(ctx, p); err != nil {
			return err
		}
		p.epoch = state.PostingsEpoch
	}
	if err := x.segments(ctx, p, state); err != nil {
		return fmt.Errorf("write postings: %w", err)
	}
	if state, err = x.state(ctx, p); err != nil {
		return err
	}
	if err := x.indexVectors(ctx, p, state); err != nil {
		return fmt.Errorf("index the vectors: %w", err)
	}
	if state.LargeIndex {
		return nil
	}
	x.Logger.InfoContext(ctx, "project has a large index", slog.String("project_id", p.projectID), slog.Int("chunks", int(state.LiveChunks)))
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.LargeIndexStateRow) error {
		return x.q.LargeIndexSet(ctx, tx, dbsqlc.LargeIndexSetParams{CompanyID: p.companyID, ProjectID: p.projectID, LargeIndex: true, Now: x.Clock.Now()})
	})
}

// indexVectors builds the index of the project's vectors. It rebuilds an index that holds many
// deleted chunks, because a search has to skip them.
func (x *LargeIndexer) indexVectors(ctx context.Context, p project, state dbsqlc.LargeIndexStateRow) error {
	stale := state.ChunksForgotten*staleShare >= state.LiveChunks
	made, err := x.vectorIndex(ctx, p.projectID, state.VectorModel, stale)
	if err != nil || !made {
		return err
	}
	return x.q.VectorIndexMade(ctx, x.Store.Pool(), dbsqlc.VectorIndexMadeParams{
		CompanyID: p.companyID, ProjectID: p.projectID, Forgotten: state.ChunksForgotten,
	})
}

func (x *LargeIndexer) state(ctx context.Context, p project) (dbsqlc.LargeIndexStateRow, error) {
	return x.q.LargeIndexState(ctx, x.Store.Pool(), dbsqlc.LargeIndexStateParams{CompanyID: p.companyID, ProjectID: p.projectID})
}

// removeIndexes removes the indexes, so that searches are exact again. It removes the index of
// vectors first: if it is interrupted then, the project can still be searched and the next
// sweep continues.
func (x *LargeIndexer) removeIndexes(ctx context.Context, p project) error {
	if _, err := x.vectorIndex(ctx, p.projectID, "", false); err != nil {
		return fmt.Errorf("remove the index of vectors: %w", err)
	}
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.LargeIndexStateRow) error {
		err := x.q.LargeIndexSet(ctx, tx, dbsqlc.LargeIndexSetParams{
			CompanyID: p.companyID, ProjectID: p.projectID, LargeIndex: false, Now: x.Clock.Now(),
		})
		if err != nil {
			return err
		}
		return x.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID})
	})
}
