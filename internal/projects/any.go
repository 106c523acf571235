package projects

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
)

// Owned is a project with what a request needs of its company.
type Owned struct {
	dbsqlc.Project
	Plan          string
	CompanyStatus string
}

// OfAny returns a project of any company, for services of the installation's operator,
// who name a project and no company, and a context that sees the rows of that company
// alone. An unknown one is NotFound.
//
// Source: docs/decisions.md#service-keys.
func (s *Service) OfAny(ctx context.Context, projectID string) (context.Context, Owned, error) {
	system := store.AsSystem(ctx, "the service key names a project and no company")
	row, err := dbsqlc.New().ProjectByID(system, s.Store.Pool(), projectID)
	if store.IsNoRows(err) {
		return nil, Owned{}, apperr.NotFound()
	}
	if err != nil {
		return nil, Owned{}, fmt.Errorf("find project %s: %w", projectID, err)
	}
	owned := Owned{Project: row.Project, Plan: row.Plan, CompanyStatus: row.CompanyStatus}
	return store.AsCompany(ctx, owned.CompanyID), owned, nil
}
