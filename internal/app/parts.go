package app

import (
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/platform/config"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/search"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
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
	Shares    *sharetoken.Service
	People    *signin.Service
	Documents *documents.Service
	Tests     *prompttests.Service
	Answers   *chat.Service
	Models    *search.Models
}

// Parts returns the services.
func (a *App) Parts() Parts {
	return Parts{
		Store: a.store, Workspace: a.workspace, Projects: a.projects, Keys: a.keys, Shares: a.shares, People: a.people,
		Documents: a.documents, Tests: a.tests, Answers: a.answers, Models: a.models,
	}
}

// Config returns the settings that the service runs with.
func (a *App) Config() *config.Config { return a.cfg }
