package app

import (
	"context"
	"fmt"
	"strings"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// SettingsError says that settings are wrong, one line for each.
type SettingsError struct{ Problems []string }

// Error joins the lines.
func (e *SettingsError) Error() string { return strings.Join(e.Problems, "\n") }

// SetPlan changes the plan of a company in the database at databaseURL. It is for
// installations without a payment provider. It fails if there is no such company.
func SetPlan(ctx context.Context, databaseURL, companyID, plan string) error {
	s, err := store.Open(ctx, databaseURL, store.Options{MaxConns: 2})
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = workspace.New(workspace.Deps{Store: s, Clock: clock.System()}).SetPlan(store.AsCompany(ctx, companyID), companyID, plan)
	if apperr.KindOf(err) == apperr.KindNotFound {
		return fmt.Errorf("there is no company %s", companyID)
	}
	return err
}
