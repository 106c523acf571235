package dev

import (
	"fmt"
	"path/filepath"
	"strings"

	"docqa/internal/devenv/devfile"
	"docqa/internal/search"
)

// banner prints where everything is, who can sign in, and one line to copy.
func (d *development) banner(models search.ModelState) {
	f := d.file
	d.say("\nRunning:")
	for _, row := range [][2]string{
		{"API", f.BaseURL},
		{"OpenAPI", f.BaseURL + "/openapi/main.yaml"},
		{"Health", f.BaseURL + "/health"},
		{"Operators", f.OpsURL},
		{"Sign-in", f.IDP.Issuer},
		{"Mail", f.Mail.Web},
		{"Storage", f.S3.Endpoint},
		{"Postgres", f.DatabaseURL},
		{"Search", searchLine(models)},
		{"Log", filepath.Join(d.opts.Data, "docqa.log")},
		{"For scripts", filepath.Join(d.opts.Data, devfile.Name)},
	} {
		d.say("  %-12s %s", row[0], row[1])
	}
	for _, c := range f.Companies {
		d.say("\n%s (%s, %s)", c.Name, c.CompanyID, c.Plan)
		for _, u := range c.Users {
			d.say("  %-8s %-22s password %s", u.Role, u.Email, u.Password)
		}
		for _, p := range c.Projects {
			d.say("  project  %s (%s)", p.Name, p.ProjectID)
			for _, kind := range devfile.KeyNames() {
				d.say("    %-11s %s", kind, p.Keys[kind])
			}
		}
	}
	if len(f.Companies) == 0 {
		return
	}
	d.say("\nTry:\n  %s", fmt.Sprintf(
		`curl -s %s/v1/chat -H 'X-Service-Key: %s' -H 'Content-Type: application/json' -d '{"question":"How long does the warranty cover the battery?"}'`,
		f.BaseURL, f.Companies[0].Projects[0].Keys[devfile.KeyIntegrationLive]))
	if !d.opts.Once {
		d.say("\nCtrl-C stops everything; the data stays in %s.", d.opts.Data)
	}
}

// searchLine says whether search uses keywords alone.
func searchLine(s search.ModelState) string {
	if len(s.Models) == 0 {
		return "keywords alone: " + s.Reason
	}
	return "words and vectors of " + strings.Join(s.Models, ", ")
}
