package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/app"
	"docqa/internal/devenv/devfile"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// dataFolder is where a running docqa dev left its file.
type dataFolder struct {
	Data string `default:".data" type:"path" help:"The data folder of the running docqa dev."`
}

type quickstartCommand struct {
	dataFolder `embed:""`
	Examples   string `default:"examples" type:"path" help:"The folder of the examples."`
}

// Run does the main job against the running development.
func (c *quickstartCommand) Run(e *environment) error {
	return app.Quickstart(e.ctx, c.Data, c.Examples, e.out, isTerminal(e.out))
}

type tokenCommand struct {
	dataFolder `embed:""`
	Email      string `required:"" help:"Who signs in."`
	Password   string `help:"Default: the one that docqa dev knows."`
	JSON       bool   `help:"Print JSON."`
}

// Run prints an access token.
func (c *tokenCommand) Run(e *environment) error {
	token, expires, err := app.Token(e.ctx, c.Data, c.Email, c.Password)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(e.out).Encode(map[string]any{"accessToken": token, "expiresAt": expires})
	}
	_, err = fmt.Fprintln(e.out, token)
	return err
}

type userCommand struct {
	Add userAddCommand `cmd:"" help:"Make an account at the embedded identity provider, or set the password of one."`
}

type userAddCommand struct {
	dataFolder `embed:""`
	Email      string `required:"" help:"The account's e-mail."`
	Password   string `help:"Default: a fresh one, printed."`
	JSON       bool   `help:"Print JSON."`
}

// Run makes the account, or gives the one that is there the password.
func (c *userAddCommand) Run(e *environment) error {
	password, err := app.UserAdd(e.ctx, c.Data, c.Email, c.Password)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(e.out).Encode(map[string]string{"email": c.Email, "password": password})
	}
	_, err = fmt.Fprintf(e.out, "%s can sign in with the password %s\n", c.Email, password)
	return err
}

type companyCommand struct {
	SetPlan setPlanCommand `cmd:"" help:"Change a company's plan."`
}

type setPlanCommand struct {
	dataFolder `embed:""`
	CompanyID  string `arg:"" help:"The company."`
	Plan       string `arg:"" enum:"free,growth,pro,enterprise" help:"free, growth, pro or enterprise."`
	JSON       bool   `help:"Print JSON."`
}

// Run changes the plan.
func (c *setPlanCommand) Run(e *environment) error {
	if err := app.SetPlan(e.ctx, e.lookup, c.Data, c.CompanyID, c.Plan); err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(e.out).Encode(map[string]string{"companyId": c.CompanyID, "plan": c.Plan})
	}
	_, err := fmt.Fprintf(e.out, "%s is on the plan %s\n", c.CompanyID, c.Plan)
	return err
}

// apiFlags say where the API is and with which credential to call it; what is not given
// comes from the running docqa dev.
type apiFlags struct {
	dataFolder `embed:""`
	BaseURL    string `name:"url" env:"DOCQA_URL" help:"The API; default the running docqa dev."`
	Token      string `env:"DOCQA_TOKEN" help:"Access token of a member; default signs in as the example company's member."`
	Key        string `env:"DOCQA_KEY" help:"Integration key; default the example project's."`
	Project    string `help:"The project; default the example company's first."`
	JSON       bool   `help:"Print JSON."`
}

func (f *apiFlags) complete(e *environment, wantToken bool) error {
	if f.BaseURL != "" && (f.Token != "" || !wantToken) && (f.Key != "" || wantToken) {
		return nil
	}
	dev, err := devfile.Read(f.Data)
	if err != nil {
		return err
	}
	if f.BaseURL == "" {
		f.BaseURL = dev.BaseURL
	}
	return app.DevCredentials(e.ctx, f.Data, dev, wantToken, &f.Project, &f.Token, &f.Key)
}

type askCommand struct {
	apiFlags `embed:""`
	Question string `arg:"" help:"The question."`
}

// Run asks once and prints the answer with its citations.
func (c *askCommand) Run(e *environment) error {
	if err := c.complete(e, false); err != nil {
		return err
	}
	api, err := apiclient.New(c.BaseURL, apiclient.Credentials{Key: c.Key})
	if err != nil {
		return err
	}
	res, err := api.Chat(e.ctx, &mainapi.ChatRequest{Question: c.Question})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		data, err := res.MarshalJSON()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.out, string(data))
		return err
	}
	if prompt, ok := res.GetChatLeadCapturePrompt(); ok {
		_, err = fmt.Fprintln(e.out, prompt.PromptMessage)
		return err
	}
	answer, ok := res.GetChatAnswer()
	if !ok {
		return errors.New("the API answered neither an answer nor a prompt")
	}
	_, _ = fmt.Fprintln(e.out, answer.Answer)
	for _, s := range answer.Sources {
		where := s.DocumentTitle
		if page, ok := s.PageNumber.Get(); ok {
			where += fmt.Sprintf(", page %d", page)
		}
		_, _ = fmt.Fprintf(e.out, "[%d] %s\n", s.Index, where)
	}
	return nil
}
