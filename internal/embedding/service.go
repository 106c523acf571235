package embedding

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Jobs inserts jobs in a transaction. River's client does.
type Jobs interface {
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

// Service keeps the vectors of projects whole. Safe for concurrent use.
type Service struct {
	store  *store.Store
	models *search.Models
	clock  clock.Clock
	q      *dbsqlc.Queries
}

// NewService returns a service that keeps vectors of models in s.
func NewService(s *store.Store, m *search.Models, c clock.Clock) *Service {
	return &Service{store: s, models: m, clock: c, q: dbsqlc.New()}
}

// Build is Reindex to the model that the project should have: its own where the process
// has it, else the default. Without models, and for an archived project, it does nothing.
func (s *Service) Build(ctx context.Context, companyID, projectID string, o Reindexing) error {
	project, err := s.q.ProjectGet(ctx, s.store.Pool(), dbsqlc.ProjectGetParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) || err == nil && project.Status == "archived" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("get project: %w", err)
	}
	state, err := s.q.ProjectVectorModel(ctx, s.store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil && !store.IsNoRows(err) {
		return fmt.Errorf("find the project's model: %w", err)
	}
	if model := s.models.For(state.VectorModel); model != "" {
		return s.Reindex(ctx, companyID, projectID, model, o)
	}
	return nil
}

// projectsPage bounds the projects whose jobs are inserted at once.
const projectsPage = 500

// BuildAll inserts a job for every project, of any company, that no model of this process
// answers for, or not for every chunk.
func (s *Service) BuildAll(ctx context.Context, jobs Jobs) error {
	if s.models.Default() == "" {
		return nil
	}
	ctx = store.AsSystem(ctx, "models serve every company")
	page := dbsqlc.ProjectsLackingVectorsParams{Models: s.models.Names(), RowLimit: projectsPage}
	for {
		rows, err := s.q.ProjectsLackingVectors(ctx, s.store.Pool(), page)
		if err != nil {
			return fmt.Errorf("find projects without vectors: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		inserts := make([]river.InsertManyParams, len(rows))
		for i, row := range rows {
			inserts[i].Args = jobargs.BuildVectors{CompanyID: row.CompanyID, ProjectID: row.ProjectID}
			page.AfterCompanyID, page.AfterProjectID = row.CompanyID, row.ProjectID
		}
		err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			_, err := jobs.InsertManyTx(ctx, tx, inserts)
			return err
		})
		if err != nil {
			return fmt.Errorf("insert jobs for vectors: %w", err)
		}
	}
}
