package app

import (
	"docqa/internal/apikeys"
	"docqa/internal/platform/config"
	"docqa/internal/projects"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// Parts are services of an App for programs that prepare an installation from inside the
// process: docqa dev and tests. Everybody else uses the API.
type Parts struct {
	Store     *store.Store
	Workspace *workspace.Service
	Projects  *projects.Service
	Keys      *apikeys.Service
	Models    *search.Models
}

// Parts returns the services.
func (a *App) Parts() Parts {
	return Parts{Store: a.store, Workspace: a.workspace, Projects: a.projects, Keys: a.keys, Models: a.models}
}

// Config returns the settings that the service runs with.
func (a *App) Config() *config.Config { return a.cfg }
