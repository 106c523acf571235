package edge

import (
	"context"
	"net/http"

	"github.com/ogen-go/ogen/middleware"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
)

// LoadProject reads a project of a company. It returns apperr.NotFound if the company has
// no project with this id.
type LoadProject func(ctx context.Context, companyID, projectID string) (dbsqlc.Project, error)

// gate checks the project in the path. It runs after decoding and before the handler of
// every operation, also of streams and of operations that answer 501. Only members of
// the project's company and keys of the project pass; everyone else gets 404.
//
// Source: main API section 5 rule 6; docs/decisions.md#project-states.
type gate struct {
	load   LoadProject
	forget func(companyID string) // clears the caches of a company's credentials and projects
}

// Middleware is the project gate as the generated servers call it.
func (e *Edge) Middleware(req middleware.Request, next middleware.Next) (middleware.Response, error) {
	return e.gate.serve(req, next)
}

func (g gate) serve(req middleware.Request, next middleware.Next) (middleware.Response, error) {
	p, ok := authn.From(req.Context)
	if !ok {
		return next(req)
	}
	if id, named := req.Params.Path("projectId"); named {
		if err := g.pass(req.Context, p, id, req.Raw.Method); err != nil {
			return middleware.Response{}, err
		}
	}
	resp, err := next(req)
	if p.Kind == authn.KindUser && req.Raw.Method != http.MethodGet {
		// A failed request may have committed before it failed: forget also then.
		g.forget(p.CompanyID)
	}
	return resp, err
}

func (g gate) pass(ctx context.Context, p authn.Principal, id any, method string) error {
	projectID, _ := id.(string)
	switch p.Kind {
	case authn.KindKey, authn.KindEmbed, authn.KindShare:
		if projectID != p.ProjectID {
			return apperr.NotFound()
		}
		return nil
	case authn.KindUser:
		project, err := g.load(ctx, p.CompanyID, projectID)
		if err != nil {
			return err
		}
		if project.Status == "archived" && method != http.MethodGet {
			return apperr.NotFound()
		}
		infoFrom(ctx).project = &project
		return nil
	case authn.KindRagService, authn.KindAnonymous:
	}
	return nil
}
