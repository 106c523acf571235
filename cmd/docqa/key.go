package main

import (
	"fmt"
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
)

// keyCommand holds the commands about keys, which need the role admin.
type keyCommand struct {
	Create keyCreateCommand `cmd:"" help:"Issue a key of a project and print its secret, which is shown only now."`
	List   keyListCommand   `cmd:"" help:"List the keys of a project, newest first."`
	Revoke keyRevokeCommand `cmd:"" help:"Revoke a key. It stops working within a second."`
}

type keyCreateCommand struct {
	projectFlags `embed:""`
	Type         string `default:"integration" enum:"integration,embed" help:"integration for servers, embed for web pages."`
	Environment  string `default:"live" enum:"live,test" help:"live, or test for a key that answers from a fixture."`
	Label        string `help:"What the key is for."`
}

// Run issues the key.
func (c *keyCreateCommand) Run(e *environment) error {
	api, projectID, err := c.open(e, devclient.Admin)
	if err != nil {
		return err
	}
	request := mainapi.APIKeyCreate{
		Type:        mainapi.NewOptAPIKeyCreateType(mainapi.APIKeyCreateType(c.Type)),
		Environment: mainapi.NewOptAPIKeyCreateEnvironment(mainapi.APIKeyCreateEnvironment(c.Environment)),
	}
	if c.Label != "" {
		request.Label = mainapi.NewOptString(c.Label)
	}
	issued, err := api.CreateKey(e.ctx, mainapi.NewOptAPIKeyCreate(request), mainapi.CreateKeyParams{ProjectID: projectID})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(issued)
	}
	e.note("issued the %s key %s of project %s; store the secret now, it is not shown again", c.Environment, issued.Key.KeyID, projectID)
	_, err = fmt.Fprintln(e.out, issued.Secret)
	return err
}

type keyListCommand struct {
	projectFlags `embed:""`
}

// Run lists the keys.
func (c *keyListCommand) Run(e *environment) error {
	api, projectID, err := c.open(e, devclient.Admin)
	if err != nil {
		return err
	}
	list, err := api.ListProjectKeys(e.ctx, mainapi.ListProjectKeysParams{ProjectID: projectID})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(list)
	}
	rows := make([][]string, len(list.Keys))
	for i := range list.Keys {
		k := &list.Keys[i]
		rows[i] = []string{
			k.KeyID, string(k.Status), string(k.Type), string(k.Environment), k.Prefix + "…" + k.Last4, lastUsed(k), k.Label,
		}
	}
	return e.printTable([]string{"KEY", "STATUS", "TYPE", "ENVIRONMENT", "SECRET", "LAST USED", "LABEL"}, rows)
}

func lastUsed(k *mainapi.APIKey) string {
	if at, ok := k.LastUsedAt.Get(); ok {
		return time.Time(at).UTC().Format("2006-01-02 15:04")
	}
	return "never"
}

type keyRevokeCommand struct {
	projectFlags `embed:""`
	KeyID        string `arg:"" name:"key-id" help:"The key's id: docqa key list shows it."`
}

// Run revokes the key.
func (c *keyRevokeCommand) Run(e *environment) error {
	api, projectID, err := c.open(e, devclient.Admin)
	if err != nil {
		return err
	}
	revoked, err := api.RevokeKey(e.ctx, mainapi.RevokeKeyParams{ProjectID: projectID, KeyID: c.KeyID})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(revoked)
	}
	_, err = fmt.Fprintf(e.out, "%s is revoked\n", revoked.Key.KeyID)
	return err
}
