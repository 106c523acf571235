package edge

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"docqa/internal/apikeys"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/limits"
)

// What the contract may require of a signed-in user for an operation.
const (
	roleMember   = "member"
	roleAdmin    = "admin"
	roleSignedIn = "signed_in" // a company is not needed
	roleOptional = "optional"  // an invalid token counts as no token
	planPrefix   = "plan:"     // followed by the lowest plan that is enough
)

// User accepts a token of the identity provider. roles is the list that the contract
// names for the operation.
//
// Source: main API section 5 rules 5 and 6; docs/decisions.md#who-may-call-what.
func (g *Guard) User(ctx context.Context, roles []string, token string) (context.Context, error) {
	if _, ok := authn.From(ctx); ok {
		return nil, errSkip
	}
	optional := slices.Contains(roles, roleOptional)
	p, err := g.principal(ctx, token)
	if err != nil {
		if optional && apperr.KindOf(err) == apperr.KindUnauthenticated {
			return nil, errSkip
		}
		return nil, g.refused(ctx, err)
	}
	if optional {
		infoFrom(ctx).principal = p
		return authn.With(ctx, p), nil
	}
	if ctx, err = g.enter(ctx, p, nil); err != nil {
		return nil, err
	}
	return ctx, authorise(p, roles, infoFrom(ctx).op.method)
}

func (g *Guard) principal(ctx context.Context, token string) (authn.Principal, error) {
	if apikeys.Recognises(token) {
		return authn.Principal{}, unauthenticated()
	}
	return g.people.Principal(ctx, token)
}

// authorise checks the principal's company, role and plan against what the operation
// requires.
func authorise(p authn.Principal, roles []string, method string) error {
	if slices.Contains(roles, roleSignedIn) {
		return nil
	}
	if p.CompanyID == "" {
		return apperr.Forbidden(apperr.CodeCompanyRequired, "create or join a workspace first")
	}
	if p.Suspended && method != http.MethodGet {
		return apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	for _, role := range roles {
		plan, isPlan := strings.CutPrefix(role, planPrefix)
		switch {
		case isPlan && !limits.PlanIncludes(p.Plan, plan):
			return apperr.Forbidden(apperr.CodePlanRequired, "this operation needs the "+plan+" plan or above")
		case role == roleAdmin && !p.IsAdmin():
			return apperr.Forbidden(apperr.CodeRoleRequired, "this operation needs the admin role")
		case isPlan, role == roleAdmin, role == roleMember:
		default:
			return apperr.New(apperr.KindInternal, apperr.CodeInternalError, "internal error").Wrap(errUnknownRole)
		}
	}
	return nil
}
