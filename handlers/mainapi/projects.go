package mainapi

import (
	"context"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/platform/authn"
	"docqa/internal/projects"
)

// ProjectsAPI serves the operations of projects themselves.
//
// Source: main API section 4.9.
type ProjectsAPI struct {
	Projects    *projects.Service
	Environment string // of the installation
}

// CreateProject implements createProject.
func (a *ProjectsAPI) CreateProject(
	ctx context.Context, req *oas.ProjectCreate, params oas.CreateProjectParams,
) (*oas.ProjectResponse, error) {
	p := authn.Must(ctx)
	in, err := fromAPIProjectCreate(req)
	if err != nil {
		return nil, err
	}
	in.By, in.Admin, in.IdempotencyKey = p.UserID, p.IsAdmin(), params.IdempotencyKey.Or("")
	created, err := a.Projects.Create(ctx, p.CompanyID, in)
	if err != nil {
		return nil, err
	}
	edge.Replayed(ctx, created.Replayed)
	return respond(projects.View{Project: created.Project}, a.Environment) // a new project has no documents
}

// ListProjects implements listProjects.
func (a *ProjectsAPI) ListProjects(ctx context.Context, params oas.ListProjectsParams) (*oas.ProjectList, error) {
	views, err := a.Projects.List(ctx, authn.Must(ctx).CompanyID, params.Status.Value == projects.Archived)
	if err != nil {
		return nil, err
	}
	list := &oas.ProjectList{Projects: make([]oas.Project, len(views))}
	for i, view := range views {
		if list.Projects[i], err = toAPIProject(view, a.Environment); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// GetProject implements getProject.
func (a *ProjectsAPI) GetProject(ctx context.Context, _ oas.GetProjectParams) (*oas.ProjectResponse, error) {
	row, err := edge.Project(ctx)
	if err != nil {
		return nil, err
	}
	return a.respond(ctx, row)
}

// UpdateProject implements updateProject.
func (a *ProjectsAPI) UpdateProject(
	ctx context.Context, req *oas.ProjectPatch, params oas.UpdateProjectParams,
) (*oas.ProjectResponse, error) {
	in, err := fromAPIProjectPatch(req)
	if err != nil {
		return nil, err
	}
	row, err := a.Projects.Patch(ctx, authn.Must(ctx).CompanyID, params.ProjectID, in)
	if err != nil {
		return nil, err
	}
	return a.respond(ctx, row)
}

// ArchiveProject implements archiveProject.
func (a *ProjectsAPI) ArchiveProject(ctx context.Context, params oas.ArchiveProjectParams) (*oas.ProjectResponse, error) {
	row, err := a.Projects.Archive(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return a.respond(ctx, row)
}

// DeployProject implements deployProject.
func (a *ProjectsAPI) DeployProject(ctx context.Context, params oas.DeployProjectParams) (*oas.DeployResult, error) {
	p := authn.Must(ctx)
	d, err := a.Projects.Deploy(ctx, p.CompanyID, params.ProjectID, p.UserID)
	if err != nil {
		return nil, err
	}
	return toAPIDeployResult(d), nil
}

// GetProjectOverview implements getProjectOverview.
func (a *ProjectsAPI) GetProjectOverview(ctx context.Context, params oas.GetProjectOverviewParams) (*oas.ProjectOverview, error) {
	o, err := a.Projects.Overview(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return toAPIOverview(&o), nil
}

// GetDeployReadiness implements getDeployReadiness.
func (a *ProjectsAPI) GetDeployReadiness(ctx context.Context, params oas.GetDeployReadinessParams) (*oas.DeployReadiness, error) {
	r, err := a.Projects.Readiness(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return toAPIReadiness(r), nil
}

// GetIntegrationInfo implements getIntegrationInfo.
func (a *ProjectsAPI) GetIntegrationInfo(ctx context.Context, params oas.GetIntegrationInfoParams) (*oas.IntegrationInfo, error) {
	i, err := a.Projects.Integration(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &oas.IntegrationInfo{
		ProjectID: params.ProjectID, Endpoint: i.Endpoint, StreamEndpoint: i.StreamEndpoint, AuthHeader: i.AuthHeader,
		KeyPrefix: nilString(i.KeyPrefix), EmbedSnippet: i.EmbedSnippet, DocsURL: i.DocsURL,
		Samples: oas.IntegrationInfoSamples{Curl: i.Curl, Javascript: i.JavaScript, Python: i.Python, Go: i.Go},
	}, nil
}

// respond reads the document counts of a project and converts both.
func (a *ProjectsAPI) respond(ctx context.Context, row dbsqlc.Project) (*oas.ProjectResponse, error) {
	views, err := a.Projects.Describe(ctx, row.CompanyID, row)
	if err != nil {
		return nil, err
	}
	return respond(views[0], a.Environment)
}

func respond(view projects.View, environment string) (*oas.ProjectResponse, error) {
	project, err := toAPIProject(view, environment)
	if err != nil {
		return nil, err
	}
	return &oas.ProjectResponse{Project: project}, nil
}
