package main

import (
	"fmt"
	"strconv"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
)

type projectCommand struct {
	Create projectCreateCommand `cmd:"" help:"Create a project and print its id."`
	List   projectListCommand   `cmd:"" help:"List the projects of the company, newest first."`
}

type projectCreateCommand struct {
	apiFlags    `embed:""`
	Name        string `arg:"" help:"Name of the project."`
	Description string `help:"What the project is for."`
}

// Run creates the project.
func (c *projectCreateCommand) Run(e *environment) error {
	api, _, err := c.signIn(e, devclient.Member)
	if err != nil {
		return err
	}
	request := &mainapi.ProjectCreate{Name: c.Name}
	if c.Description != "" {
		request.Description = mainapi.NewOptString(c.Description)
	}
	created, err := api.CreateProject(e.ctx, request, mainapi.CreateProjectParams{})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(created)
	}
	e.note("created the project %q; bring documents in with: docqa ingest --project %s FILE", created.Project.Name, created.Project.ProjectID)
	_, err = fmt.Fprintln(e.out, created.Project.ProjectID)
	return err
}

type projectListCommand struct {
	apiFlags `embed:""`
	Archived bool `help:"List the archived projects in place of the others."`
}

// Run lists the projects.
func (c *projectListCommand) Run(e *environment) error {
	api, _, err := c.signIn(e, devclient.Member)
	if err != nil {
		return err
	}
	var params mainapi.ListProjectsParams
	if c.Archived {
		params.Status = mainapi.NewOptString("archived")
	}
	list, err := api.ListProjects(e.ctx, params)
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(list)
	}
	rows := make([][]string, len(list.Projects))
	for i := range list.Projects {
		p := &list.Projects[i]
		rows[i] = []string{p.ProjectID, string(p.Status), strconv.Itoa(p.IndexedDocumentCount) + " of " + strconv.Itoa(p.DocumentCount), p.Name}
	}
	return e.printTable([]string{"PROJECT", "STATUS", "INDEXED", "NAME"}, rows)
}
