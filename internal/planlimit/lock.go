package planlimit

import (
	"context"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
)

// LockProject locks the project's row in the transaction tx, so that changes of one project
// run one after the other. It returns apperr.NotFound for an unknown or archived project. It
// does not check the plan: CheckProject does.
func LockProject(ctx context.Context, tx dbsqlc.DBTX, companyID, projectID string) error {
	status, err := dbsqlc.New().ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if err == nil && status == "archived" {
		return apperr.NotFound()
	}
	return store.RowError("lock project", err)
}
