package main

import (
	"fmt"
	"os"

	"docqa/internal/app"
	"docqa/internal/devenv/dev"
	"docqa/internal/devenv/devclient"
	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/quickstart"
	"docqa/internal/devenv/s3"
)

type devCommand struct {
	Data       string `default:".data" type:"path" help:"The folder that keeps everything over restarts."`
	Port       *int   `placeholder:"8080" help:"Port of the API. Without this flag a free port is taken where 8080 is not free; the same holds for the other ports."`
	OpsPort    *int   `placeholder:"9090" help:"Port for operators."`
	IDPPort    *int   `placeholder:"8090" name:"idp-port" help:"Port of the identity provider."`
	MailPort   *int   `placeholder:"8025" help:"Port of the mail page."`
	SMTPPort   *int   `placeholder:"2525" name:"smtp-port" help:"Port of the mail sink."`
	S3Port     *int   `placeholder:"9000" name:"s3-port" help:"Port of the object storage."`
	PgPort     *int   `placeholder:"PORT" help:"Port of Postgres. Without this flag: the port of the last start."`
	Seed       bool   `default:"true" negatable:"" help:"Make the example companies."`
	Quickstart bool   `help:"Do the main job once when everything is up."`
	Once       bool   `help:"Stop after the main job."`
	Examples   string `default:"examples" type:"path" help:"The folder of the examples."`
}

// Run runs docqa dev until it is told to stop.
func (c *devCommand) Run(e *environment) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return dev.Run(e.ctx, dev.Options{
		Data: c.Data,
		Ports: dev.Ports{
			API: c.Port, Ops: c.OpsPort, IDP: c.IDPPort, Mail: c.MailPort, SMTP: c.SMTPPort, S3: c.S3Port, Postgres: c.PgPort,
		},
		Seed: c.Seed, Quickstart: c.Quickstart, Once: c.Once, Examples: c.Examples, Self: self, Lookup: e.lookup,
		Out: e.out, Terminal: isTerminal(e.out),
	})
}

type devS3Command struct{}

// Run serves until the parent process has ended.
func (c *devS3Command) Run(e *environment) error { return s3.Child(e.ctx, e.in) }

// dataFolder is the folder in which a running docqa dev left dev.json.
type dataFolder struct {
	Data string `default:".data" type:"path" help:"The data folder of the running docqa dev."`
}

func (f *dataFolder) read() (*devfile.File, error) { return devfile.Read(f.Data) }

type quickstartCommand struct {
	dataFolder `embed:""`
	Examples   string `default:"examples" type:"path" help:"The folder of the examples."`
}

// Run does the main job against the running docqa dev.
func (c *quickstartCommand) Run(e *environment) error {
	file, err := c.read()
	if err != nil {
		return err
	}
	return quickstart.MainJob(e.ctx, file, os.DirFS(c.Examples), e.out, isTerminal(e.out))
}

type tokenCommand struct {
	dataFolder `embed:""`
	jsonFlag   `embed:""`
	Email      string `required:"" help:"E-mail address of the user."`
	Password   string `help:"Default: the password in dev.json."`
}

// Run prints an access token.
func (c *tokenCommand) Run(e *environment) error {
	file, err := c.read()
	if err != nil {
		return err
	}
	token, expires, err := devclient.Token(e.ctx, file, c.Email, c.Password)
	if err != nil {
		return err
	}
	return c.print(e, map[string]any{"accessToken": token, "expiresAt": expires}, token)
}

type userCommand struct {
	Add userAddCommand `cmd:"" help:"Make an account at the embedded identity provider, or set the password of one."`
}

type userAddCommand struct {
	dataFolder `embed:""`
	jsonFlag   `embed:""`
	Email      string `required:"" help:"E-mail address of the account."`
	Password   string `help:"Default: a random one, which is printed."`
}

// Run makes the account, or sets the password if it exists.
func (c *userAddCommand) Run(e *environment) error {
	file, err := c.read()
	if err != nil {
		return err
	}
	password, err := devclient.AddAccount(e.ctx, file, c.Email, c.Password)
	if err != nil {
		return err
	}
	return c.print(e, map[string]string{"email": c.Email, "password": password}, c.Email+" can sign in with the password "+password)
}

type companyCommand struct {
	SetPlan setPlanCommand `cmd:"" help:"Change a company's plan."`
}

type setPlanCommand struct {
	dataFolder `embed:""`
	jsonFlag   `embed:""`
	CompanyID  string `arg:"" help:"The company."`
	Plan       string `arg:"" enum:"free,growth,pro,enterprise" help:"free, growth, pro or enterprise."`
}

// Run changes the plan in the database of DATABASE_URL, or in that of the running docqa dev.
// It also changes dev.json if that names the company.
func (c *setPlanCommand) Run(e *environment) error {
	file, readErr := c.read()
	url, _ := e.lookup("DATABASE_URL")
	if url == "" {
		if readErr != nil {
			return readErr
		}
		url = file.DatabaseURL
	}
	if err := app.SetPlan(e.ctx, url, c.CompanyID, c.Plan); err != nil {
		return err
	}
	if readErr == nil && file.DatabaseURL == url {
		if err := devfile.SetPlan(c.Data, c.CompanyID, c.Plan); err != nil {
			return fmt.Errorf("the plan is changed, but dev.json is not: %w", err)
		}
	}
	return c.print(e, map[string]string{"companyId": c.CompanyID, "plan": c.Plan}, c.CompanyID+" is on the plan "+c.Plan)
}
