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

// Deps are what a Service needs.
type Deps struct {
	Store  *store.Store
	Models *search.Models // nil: the process has none
	Clock  clock.Clock
}

// Service makes the vectors of projects. Safe for concurrent use.
type Service struct {
	store  *store.Store
	models *search.Models
	clock  clock.Clock
	q      *dbsqlc.Queries
}

// New returns a Service.
func New(d Deps) *Service {
	return &Service{store: d.Store, models: d.Models, clock: d.Clock, q: dbsqlc.New()}
}

// Build makes the missing vectors of a project, as Reindex does: of its own model if the
// process has it, else of the default model. It does nothing if the process has no model or
// the project is archived or gone.
func (s *Service) Build(ctx context.Context, job jobargs.BuildVectors, a jobargs.Attempt) error {
	project, err := s.q.ProjectGet(ctx, s.store.Pool(), dbsqlc.ProjectGetParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID})
	if store.IsNoRows(err) || err == nil && project.Status == "archived" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("get project: %w", err)
	}
	state, err := s.q.ProjectVectorModel(ctx, s.store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID})
	if err != nil && !store.IsNoRows(err) {
		return fmt.Errorf("find the project's model: %w", err)
	}
	model := s.models.For(state.VectorModel)
	if model == "" {
		return nil
	}
	return s.Reindex(ctx, jobargs.ReindexProject{CompanyID: job.CompanyID, ProjectID: job.ProjectID, Model: model}, a)
}

// projectsPage is how many projects get their jobs in one transaction.
const projectsPage = 500

// BuildAll inserts a job for every project, of any company, that has chunks without a vector
// of one of this process's models.
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
