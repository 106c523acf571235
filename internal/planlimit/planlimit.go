package planlimit

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// CheckProject refuses changes of a project that the company's plan does not include:
// apperr.Forbidden plan_limit_reached. The plan includes as many projects as it names,
// the oldest first, without the archived ones. NotFound for an unknown project.
//
// Gap: which projects stay writable; our choice.
func CheckProject(ctx context.Context, db dbsqlc.DBTX, companyID, projectID string) error {
	row, err := dbsqlc.New().ProjectPlace(ctx, db, dbsqlc.ProjectPlaceParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return store.RowError("find the project's place in its plan", err)
	}
	if maxProjects := limits.PlanOf(row.Plan).Projects; int(row.Older) >= maxProjects {
		return apperr.Forbidden(apperr.CodePlanLimitReached, fmt.Sprintf(
			"the %s plan includes %d projects, and older ones come first: this project can be read, asked and deleted, not changed", row.Plan, maxProjects))
	}
	return nil
}
