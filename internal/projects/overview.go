package projects

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
)

const (
	overviewDays   = 7
	overviewEvents = 10
)

// Overview is the summary of a project.
type Overview struct {
	Project dbsqlc.Project
	Counts  dbsqlc.ProjectOverviewRow // the seven days' and the month's counts among them
	Setup   []Step
	Events  []dbsqlc.ActivityEvent // the latest ten, newest first
}

// Step is one step of setting a project up.
type Step struct {
	Name string
	Done bool
	At   *time.Time // nil if it is not done, or if its time was not stored
}

// Progress is the share of the steps that are done, 0 to 1.
func (o *Overview) Progress() float64 {
	done := 0
	for _, s := range o.Setup {
		if s.Done {
			done++
		}
	}
	return float64(done) / float64(len(o.Setup))
}

// Overview sums the project up. The month is the calendar month in UTC. Error: 404.
//
// Source: main API section 4.9; docs/decisions.md#project-overview.
func (s *Service) Overview(ctx context.Context, companyID, projectID string) (o Overview, err error) {
	if o.Project, err = s.Get(ctx, companyID, projectID); err != nil {
		return o, err
	}
	o.Counts, err = dbsqlc.New().ProjectOverview(ctx, s.Store.Pool(), dbsqlc.ProjectOverviewParams{
		CompanyID: companyID, ProjectID: projectID, Days: overviewDays, Now: clock.Pinned(s.Clock),
	})
	if err != nil {
		return o, fmt.Errorf("count for the overview of project %s: %w", projectID, err)
	}
	o.Events, err = dbsqlc.New().ActivityListProject(ctx, s.Store.Ordered(), dbsqlc.ActivityListProjectParams{
		CompanyID: companyID, ProjectID: projectID, RowLimit: overviewEvents,
	})
	if err != nil {
		return o, fmt.Errorf("read the activity of project %s: %w", projectID, err)
	}
	o.Setup = steps(&o.Project, &o.Counts)
	return o, nil
}

func steps(p *dbsqlc.Project, c *dbsqlc.ProjectOverviewRow) []Step {
	return []Step{
		{Name: "add_documents", Done: c.Added > 0, At: noted(c.FirstAddedAt)},
		{Name: "sync", Done: noted(c.FirstIndexedAt) != nil || c.Indexed > 0, At: noted(c.FirstIndexedAt)},
		{Name: "test_prompts", Done: noted(c.FirstTestedAt) != nil, At: noted(c.FirstTestedAt)},
		{Name: "allowed_origins", Done: len(p.AllowedOrigins) > 0},
		{Name: "deploy", Done: p.LastDeployedAt != nil, At: p.LastDeployedAt},
		{Name: "install_widget", Done: c.EmbedKeyUsed},
	}
}

// noted returns nil for the epoch, which means never.
func noted(t time.Time) *time.Time {
	if t.Unix() == 0 {
		return nil
	}
	return &t
}
