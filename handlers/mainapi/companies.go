package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/workspace"
)

// CompaniesAPI serves the operations of the workspace itself.
//
// Source: main API section 4.12.
type CompaniesAPI struct {
	Workspace *workspace.Service
}

// CreateCompany implements createCompany.
func (a *CompaniesAPI) CreateCompany(ctx context.Context, req *oas.CompanyCreate) (*oas.Company, error) {
	p := authn.Must(ctx)
	if p.CompanyID != "" {
		return nil, apperr.Conflict("already_in_company", "the user belongs to a company already")
	}
	company, err := a.Workspace.CreateCompany(ctx, workspace.Founder{UserID: p.UserID, Email: p.Email}, req.Name)
	if err != nil {
		return nil, err
	}
	return toAPICompany(company), nil
}

// GetCompany implements getCompany.
func (a *CompaniesAPI) GetCompany(ctx context.Context) (*oas.Company, error) {
	company, err := a.Workspace.Get(ctx, authn.Must(ctx).CompanyID)
	if err != nil {
		return nil, err
	}
	return toAPICompany(company), nil
}

// UpdateCompany implements updateCompany.
func (a *CompaniesAPI) UpdateCompany(ctx context.Context, req *oas.CompanyPatch) (*oas.Company, error) {
	company, err := a.Workspace.Rename(ctx, authn.Must(ctx).CompanyID, req.Name)
	if err != nil {
		return nil, err
	}
	return toAPICompany(company), nil
}
