package projects

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/outbox"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/platform/secretbox"
	"docqa/internal/store"
)

// The states of a project.
//
// Source: main API section 3; docs/decisions.md#project-states.
const (
	Draft    = "draft"
	Indexing = "indexing"
	Live     = "live"
	Archived = "archived"
)

// URLChecker checks the address of a webhook. Error: 400 invalid_url or url_not_allowed.
type URLChecker interface {
	CheckURL(ctx context.Context, rawURL string) error
}

// Ingester starts and stops ingestions of a project in the caller's transaction.
type Ingester interface {
	// StartIngest starts the ingestion of the waiting documents and returns how many there are.
	StartIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) (int, error)
	StopIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) error
}

// Deps are what the service needs.
type Deps struct {
	Store    *store.Store
	Clock    clock.Clock
	Models   *models.Catalog
	URLs     URLChecker
	Secrets  *secretbox.Box
	Ingester Ingester
	Keys     KeyIssuer
	BaseURL  string // the address of the API, without a slash at its end
	Once     *idempotency.Keeper
}

// Service manages projects. Safe for concurrent use.
type Service struct {
	Deps
}

// New returns the service.
func New(d Deps) *Service {
	return &Service{Deps: d}
}

// View is a project with its document counts.
type View struct {
	Project   dbsqlc.Project
	Documents int
	Indexed   int
}

// List returns the company's projects, newest first: those that are not archived, or, with
// archived, only the archived ones.
func (s *Service) List(ctx context.Context, companyID string, archived bool) ([]View, error) {
	rows, err := dbsqlc.New().ProjectList(ctx, s.Store.Pool(), dbsqlc.ProjectListParams{CompanyID: companyID, Archived: archived})
	if err != nil {
		return nil, fmt.Errorf("list projects: %w", err)
	}
	return s.Describe(ctx, companyID, rows...)
}

// Get returns one project, archived or not. Error: 404.
func (s *Service) Get(ctx context.Context, companyID, projectID string) (dbsqlc.Project, error) {
	p, err := dbsqlc.New().ProjectGet(ctx, s.Store.Pool(), dbsqlc.ProjectGetParams{CompanyID: companyID, ProjectID: projectID})
	return p, readError("read the project", err)
}

// Describe adds the document counts to rows, in one round trip for all of them.
func (s *Service) Describe(ctx context.Context, companyID string, rows ...dbsqlc.Project) ([]View, error) {
	views := make([]View, len(rows))
	if len(rows) == 0 {
		return views, nil
	}
	projectIDs := make([]string, len(rows))
	for i, row := range rows {
		projectIDs[i] = row.ProjectID
	}
	counts, err := dbsqlc.New().ProjectDocumentCounts(ctx, s.Store.Pool(), dbsqlc.ProjectDocumentCountsParams{
		CompanyID: companyID, ProjectIds: projectIDs,
	})
	if err != nil {
		return nil, fmt.Errorf("count the documents of projects: %w", err)
	}
	byProject := make(map[string]dbsqlc.ProjectDocumentCountsRow, len(counts))
	for _, c := range counts {
		byProject[c.ProjectID] = c
	}
	for i, row := range rows {
		c := byProject[row.ProjectID]
		views[i] = View{Project: row, Documents: int(c.Documents), Indexed: int(c.Indexed)}
	}
	return views, nil
}

// Archive archives a project; that cannot be undone. Keys, share tokens and the widget stop
// at once, because each of their requests checks the project's status. Error: 404, also if
// the project is archived already.
//
// Source: main API section 3; docs/decisions.md#project-states.
func (s *Service) Archive(ctx context.Context, companyID, projectID string) (p dbsqlc.Project, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.Clock.Now()
		p, err = dbsqlc.New().ProjectArchive(ctx, tx, dbsqlc.ProjectArchiveParams{CompanyID: companyID, ProjectID: projectID, Now: now})
		if err != nil {
			return readError("archive the project", err)
		}
		if err := s.Ingester.StopIngest(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		return s.record(ctx, tx, outbox.ProjectArchived, "archived the project", p, nil)
	})
	return p, err
}

// lock reads and locks a project for a change. Errors: 404, 403 plan_limit_reached.
func (s *Service) lock(ctx context.Context, tx pgx.Tx, companyID, projectID string) (dbsqlc.Project, error) {
	p, err := dbsqlc.New().ProjectGetForUpdate(ctx, tx, dbsqlc.ProjectGetForUpdateParams{CompanyID: companyID, ProjectID: projectID})
	if err == nil && p.Status == Archived {
		return p, apperr.NotFound()
	}
	if err != nil {
		return p, readError("lock the project", err)
	}
	return p, planlimit.CheckProject(ctx, tx, companyID, projectID)
}

func (s *Service) record(
	ctx context.Context, tx pgx.Tx, kind outbox.Type, summary string, p dbsqlc.Project, metadata map[string]string,
) error {
	return outbox.Record(ctx, tx, p.CompanyID, outbox.Event{
		Type: kind, ProjectID: p.ProjectID, ResourceType: "project", ResourceID: p.ProjectID, ResourceName: p.Name,
		Summary: summary, Metadata: metadata, At: s.Clock.Now(),
	})
}

func readError(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case store.IsNoRows(err):
		return apperr.NotFound()
	default:
		return fmt.Errorf("%s: %w", doing, err)
	}
}
