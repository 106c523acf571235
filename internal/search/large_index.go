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

// The sizes in chunks. Between the last two a project stays as it is, so that one at the
// bound is not rebuilt all the time.
const (
	promoteFrom = 25_000
	demoteBelow = 15_000
)

// LargeIndexDeps are what a LargeIndexer works with.
type LargeIndexDeps struct {
	Store *store.Store
	// Owner is the URL of the database as the owner of its tables, who alone makes indexes.
	Owner  string
	Clock  clock.Clock
	Logger *slog.Logger
	// The bounds of tests; 0: the product's.
	PromoteFrom, DemoteBelow, Segment int
}

// LargeIndexer promotes and demotes projects. Any number of them may run at once: one waits for no
// other, and leaves to it what that one is at.
type LargeIndexer struct {
	LargeIndexDeps
	q *dbsqlc.Queries
}

// NewLargeIndexer returns a LargeIndexer.
func NewLargeIndexer(o LargeIndexDeps) *LargeIndexer {
	if o.PromoteFrom == 0 {
		o.PromoteFrom, o.DemoteBelow = promoteFrom, demoteBelow
	}
	if o.Segment == 0 {
		o.Segment = segmentChunks
	}
	return &LargeIndexer{LargeIndexDeps: o, q: dbsqlc.New()}
}

// Sweep brings the indexes of every project up to date. What it has done is kept when it
// is interrupted.
func (x *LargeIndexer) Sweep(ctx context.Context) error {
	system := store.AsSystem(ctx, "projects of every company grow")
	rows, err := x.q.ProjectsToPromote(system, x.Store.Pool(), int32(x.PromoteFrom))
	if err != nil {
		return fmt.Errorf("find large projects: %w", err)
	}
	var errs []error // one project must not hold up the others
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
	if int(state.LiveChunks) < x.DemoteBelow {
		return x.demote(ctx, p)
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
	if state.Promoted {
		return nil
	}
	x.Logger.InfoContext(ctx, "a large project has indexes of its own", slog.String("project_id", p.projectID), slog.Int("chunks", int(state.LiveChunks)))
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		return x.q.PromotionSet(ctx, tx, dbsqlc.PromotionSetParams{CompanyID: p.companyID, ProjectID: p.projectID, Promoted: true, Now: x.Clock.Now()})
	})
}

// indexVectors makes the index of the project's vectors, anew where it holds many chunks that
// are gone: a search finds its way past them ever worse.
func (x *LargeIndexer) indexVectors(ctx context.Context, p project, state dbsqlc.PromotionStateRow) error {
	stale := state.ChunksForgotten*staleShare >= state.LiveChunks
	made, err := x.vectorIndex(ctx, p.projectID, state.VectorModel, stale)
	if err != nil || !made {
		return err
	}
	return x.q.VectorIndexMade(ctx, x.Store.Pool(), dbsqlc.VectorIndexMadeParams{
		CompanyID: p.companyID, ProjectID: p.projectID, Forgotten: state.ChunksForgotten,
	})
}

func (x *LargeIndexer) state(ctx context.Context, p project) (dbsqlc.PromotionStateRow, error) {
	return x.q.PromotionState(ctx, x.Store.Pool(), dbsqlc.PromotionStateParams{CompanyID: p.companyID, ProjectID: p.projectID})
}

// demote removes the indexes and has searches judge every chunk again. The vectors' index goes
// first: a project that is promoted without it is searched as well, and the next sweep goes on.
func (x *LargeIndexer) demote(ctx context.Context, p project) error {
	if _, err := x.vectorIndex(ctx, p.projectID, "", false); err != nil {
		return fmt.Errorf("remove the index of vectors: %w", err)
	}
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		err := x.q.PromotionSet(ctx, tx, dbsqlc.PromotionSetParams{
			CompanyID: p.companyID, ProjectID: p.projectID, Promoted: false, Now: x.Clock.Now(),
		})
		if err != nil {
			return err
		}
		return x.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID})
	})
}
