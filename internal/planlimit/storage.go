package planlimit

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// CheckStorage refuses a file that would bring the company over its plan's storage:
// apperr.Forbidden plan_limit_reached. It locks the company's row, so that two files are
// not counted at the same time.
func CheckStorage(ctx context.Context, tx dbsqlc.DBTX, companyID string, size int64) error {
	free, err := LockStorage(ctx, tx, companyID)
	if err != nil {
		return err
	}
	if size > free {
		return StorageFull()
	}
	return nil
}

// LockStorage locks the company's row and returns how many bytes of its plan's storage are
// free. The number is negative if the company stores more than its plan includes.
func LockStorage(ctx context.Context, tx dbsqlc.DBTX, companyID string) (free int64, err error) {
	plan, err := dbsqlc.New().CompanyPlanLock(ctx, tx, companyID)
	if err != nil {
		return 0, store.RowError("lock the plan", err)
	}
	return freeStorage(ctx, tx, companyID, plan)
}

// CheckAnyStorage refuses a company whose storage is used up: apperr.Forbidden
// plan_limit_reached. It takes no lock: CheckStorage decides when the size is known.
func CheckAnyStorage(ctx context.Context, db dbsqlc.DBTX, companyID string) error {
	company, err := dbsqlc.New().CompanyGet(ctx, db, companyID)
	if err != nil {
		return store.RowError("get company", err)
	}
	free, err := freeStorage(ctx, db, companyID, company.Plan)
	if err != nil {
		return err
	}
	if free <= 0 {
		return StorageFull()
	}
	return nil
}

func freeStorage(ctx context.Context, db dbsqlc.DBTX, companyID, plan string) (int64, error) {
	used, err := dbsqlc.New().DocumentStorageUsed(ctx, db, companyID)
	if err != nil {
		return 0, fmt.Errorf("count storage: %w", err)
	}
	return limits.PlanOf(plan).StorageBytes() - used, nil
}

// StorageFull returns the 403 of a file that does not fit into the plan's storage.
func StorageFull() error {
	return apperr.Forbidden(apperr.CodePlanLimitReached, "the plan's storage is used up")
}
