package projects

import (
	"context"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
)

// LockWritable locks the project's row, which orders its changes. apperr.NotFound for an
// unknown or archived project.
func LockWritable(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	status, err := dbsqlc.New().ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if err == nil && status == Archived {
		return apperr.NotFound()
	}
	return store.NotFound("lock project", err)
}
