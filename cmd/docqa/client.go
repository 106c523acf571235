package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
	"docqa/internal/devenv/devfile"
)

// jsonFlag makes a command print JSON for programs in place of text for people.
type jsonFlag struct {
	JSON bool `help:"Print JSON."`
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
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
	company, project, err := devclient.Example(dev)
	if err != nil {
		return err
	}
	if f.Project == "" {
		f.Project = project.ProjectID
	}
	if f.Key == "" {
		f.Key = devclient.Key(dev, f.Project)
	}
	if wantToken && f.Token == "" {
		f.Token, _, err = devclient.Token(e.ctx, dev, devclient.Member(company).Email, "")
	}
	return err
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
