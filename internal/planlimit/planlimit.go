package planlimit

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// CheckProject returns apperr.Forbidden plan_limit_reached for a project that the company's
// plan does not include. A plan for n projects includes the n oldest ones that are not
// archived. CheckProject returns apperr.NotFound for an unknown project.
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
