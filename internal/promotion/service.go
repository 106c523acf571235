package promotion

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/clock"
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

// Service promotes and demotes projects. One at a time may run.
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
		if err := s.project(store.AsCompany(ctx, row.CompanyID), row.CompanyID, row.ProjectID); err != nil {
			errs = append(errs, fmt.Errorf("index project %s: %w", row.ProjectID, err))
		}
	}
	return errors.Join(errs...)
}

func (s *Service) project(ctx context.Context, companyID, projectID string) error {
	state, err := s.q.PromotionState(ctx, s.Store.Pool(), dbsqlc.PromotionStateParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if int(state.LiveChunks) < s.DemoteBelow {
		return s.demote(ctx, companyID, projectID)
	}
	if err := s.segments(ctx, companyID, projectID, state); err != nil {
		return fmt.Errorf("write postings: %w", err)
	}
	if err := s.vectorIndex(ctx, projectID, state.VectorModel); err != nil {
		return fmt.Errorf("index the vectors: %w", err)
	}
	if state.Promoted {
		return nil
	}
	s.Logger.InfoContext(ctx, "a large project has indexes of its own", slog.String("project_id", projectID), slog.Int("chunks", int(state.LiveChunks)))
	return s.q.PromotionSet(ctx, s.Store.Pool(), dbsqlc.PromotionSetParams{
		CompanyID: companyID, ProjectID: projectID, Promoted: true, Now: s.Clock.Now(),
	})
}

// demote has searches judge every chunk again, and then removes the indexes.
func (s *Service) demote(ctx context.Context, companyID, projectID string) error {
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := s.q.PromotionSet(ctx, tx, dbsqlc.PromotionSetParams{
			CompanyID: companyID, ProjectID: projectID, Promoted: false, Now: s.Clock.Now(),
		})
		if err != nil {
			return err
		}
		return s.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: companyID, ProjectID: projectID})
	})
	if err != nil {
		return err
	}
	return s.vectorIndex(ctx, projectID, "")
}
