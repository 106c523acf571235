package mainapi

import (
	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
)

func toAPICompany(c dbsqlc.Company) *oas.Company {
	return &oas.Company{
		CompanyID: c.CompanyID, Name: c.Name, Slug: c.Slug, Plan: oas.BillingPlan(c.Plan), Status: c.Status,
		OwnerUserID: c.OwnerUserID, CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
	}
}
