package handlers

import (
	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
)

func toAPICompany(c dbsqlc.Company) *mainapi.Company {
	return &mainapi.Company{
		CompanyID: c.CompanyID, Name: c.Name, Slug: c.Slug, Plan: mainapi.BillingPlan(c.Plan), Status: c.Status,
		OwnerUserID: c.OwnerUserID, CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
	}
}
