package promotion

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

// Options are what a Service works with.
type Options struct {
	Store *store.Store
	// Owner is the URL of the database as the owner of its tables, who alone makes indexes.
	Owner  string
	Clock  clock.Clock
	Logger *slog.Logger
	// The bounds of tests; 0: the product's.
	PromoteFrom, DemoteBelow, Segment int
}

// Service promotes and demotes projects. Any number of them may run at once: one waits for no
// other, and leaves to it what that one is at.
type Service struct {
	Options
	q *dbsqlc.Queries
}

// New returns a service.
func New(o Options) *Service {
	if o.PromoteFrom == 0 {
		o.PromoteFrom, o.DemoteBelow = promoteFrom, demoteBelow
	}
	if o.Segment == 0 {
		o.Segment = segmentChunks
	}
	return &Service{Options: o, q: dbsqlc.New()}
}

// Sweep brings the indexes of every project up to date. What it has done is kept when it
// is interrupted.
func (s *Service) Sweep(ctx context.Context) error {
	system := store.AsSystem(ctx, "projects of every company grow")
	rows, err := s.q.ProjectsToPromote(system, s.Store.Pool(), int32(s.PromoteFrom))
	if err != nil {
		return fmt.Errorf("find large projects: %w", err)
	}
	var errs []error // one project must not hold up the others
	for _, row := range rows {
		err := s.project(store.AsCompany(ctx, row.CompanyID), project{companyID: row.CompanyID, projectID: row.ProjectID})
		if err != nil && !errors.Is(err, errOvertaken) {
			errs = append(errs, fmt.Errorf("index project %s: %w", row.ProjectID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) project(ctx context.Context, p project) error {
	state, err := s.state(ctx, p)
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	p.epoch = state.PostingsEpoch
	if int(state.LiveChunks) < s.DemoteBelow {
		return s.demote(ctx, p)
	}
	if !state.PostingsTracked {
		if err := s.track(ctx, p); err != nil {
			return fmt.Errorf("note deleted chunks: %w", err)
		}
		if state, err = s.state(ctx, p); err != nil {
			return err
		}
		p.epoch = state.PostingsEpoch
	}
	if err := s.segments(ctx, p, state); err != nil {
		return fmt.Errorf("write postings: %w", err)
	}
	if state, err = s.state(ctx, p); err != nil {
		return err
	}
	if err := s.indexVectors(ctx, p, state); err != nil {
		return fmt.Errorf("index the vectors: %w", err)
	}
	if state.Promoted {
		return nil
	}
	s.Logger.InfoContext(ctx, "a large project has indexes of its own", slog.String("project_id", p.projectID), slog.Int("chunks", int(state.LiveChunks)))
	return s.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		return s.q.PromotionSet(ctx, tx, dbsqlc.PromotionSetParams{CompanyID: p.companyID, ProjectID: p.projectID, Promoted: true, Now: s.Clock.Now()})
	})
}

// indexVectors makes the index of the project's vectors, anew where it holds many chunks that
// are gone: a search finds its way past them ever worse.
func (s *Service) indexVectors(ctx context.Context, p project, state dbsqlc.PromotionStateRow) error {
	stale := state.ChunksForgotten*staleShare >= state.LiveChunks
	made, err := s.vectorIndex(ctx, p.projectID, state.VectorModel, stale)
	if err != nil || !made {
		return err
	}
	return s.q.VectorIndexMade(ctx, s.Store.Pool(), dbsqlc.VectorIndexMadeParams{
		CompanyID: p.companyID, ProjectID: p.projectID, Forgotten: state.ChunksForgotten,
	})
}

func (s *Service) state(ctx context.Context, p project) (dbsqlc.PromotionStateRow, error) {
	return s.q.PromotionState(ctx, s.Store.Pool(), dbsqlc.PromotionStateParams{CompanyID: p.companyID, ProjectID: p.projectID})
}

// demote removes the indexes and has searches judge every chunk again. The vectors' index goes
// first: a project that is promoted without it is searched as well, and the next sweep goes on.
func (s *Service) demote(ctx context.Context, p project) error {
	if _, err := s.vectorIndex(ctx, p.projectID, "", false); err != nil {
		return fmt.Errorf("remove the index of vectors: %w", err)
	}
	return s.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		err := s.q.PromotionSet(ctx, tx, dbsqlc.PromotionSetParams{
			CompanyID: p.companyID, ProjectID: p.projectID, Promoted: false, Now: s.Clock.Now(),
		})
		if err != nil {
			return err
		}
		return s.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID})
	})
}
