package mainapi

import (
	"context"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/sharetoken"
)

// ShareAPI gives visitors access to shared projects.
type ShareAPI struct{ Shares *sharetoken.Service }

// BootstrapShare issues a share token: to anyone if the share is public, to active members
// of the project's company if it is private.
//
// Source: main API section 4.1.
func (s *ShareAPI) BootstrapShare(ctx context.Context, params oas.BootstrapShareParams) (*oas.ShareBootstrap, error) {
	shared, err := s.Shares.Find(ctx, params.Slug)
	if err != nil {
		return nil, err
	}
	p := shared.Project
	if p.AccessMode == "private" && !memberOf(authn.Must(ctx), p) {
		e := apperr.Forbidden(apperr.CodePrivateShare, "this share is private: sign in as a member of the workspace")
		e.AccessMode = p.AccessMode
		return nil, e
	}
	token, err := s.Shares.Issue(p)
	if err != nil {
		return nil, err
	}
	name := p.Widget.DisplayName
	if name == "" {
		name = p.Name
	}
	return &oas.ShareBootstrap{
		ProjectID: p.ProjectID, AccessMode: oas.ShareBootstrapAccessMode(p.AccessMode), DisplayName: name,
		WelcomeMessage: p.Widget.WelcomeMessage, Theme: toAPIWidgetTheme(p.Widget.Theme), ShareToken: token.Value,
		ShareTokenExpiresAt: timestamp(token.ExpiresAt),
	}, nil
}

func memberOf(p authn.Principal, project dbsqlc.Project) bool {
	return p.Kind == authn.KindUser && p.CompanyID != "" && p.CompanyID == project.CompanyID
}
