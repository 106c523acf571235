package main

import (
	"errors"
	"fmt"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/devenv/devclient"
)

type askCommand struct {
	projectFlags `embed:""`
	Key          string `env:"DOCQA_KEY" help:"Integration key, whose project answers; default: that of the example project."`
	Question     string `arg:"" help:"The question."`
}

// Run asks one question and prints the answer with its sources, its confidence and follow-ups.
func (c *askCommand) Run(e *environment) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	if key == "" {
		return c.askAsUser(e)
	}
	return c.askByKey(e, key)
}

// key returns the integration key of the project; empty: ask with a user's token.
func (c *askCommand) key() (string, error) {
	if c.Key != "" || c.Token != "" || c.Email != "" {
		return c.Key, nil
	}
	_, dev, err := c.installation()
	if err != nil || dev == nil {
		return "", err
	}
	projectID, err := c.id(dev)
	return devclient.Key(dev, projectID), err
}

func (c *askCommand) askByKey(e *environment, key string) error {
	address, _, err := c.installation()
	if err != nil {
		return err
	}
	api, err := apiclient.New(address, apiclient.Credentials{Key: key})
	if err != nil {
		return err
	}
	response, err := api.Chat(e.ctx, &mainapi.ChatRequest{Question: c.Question})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(response)
	}
	if prompt, ok := response.GetChatLeadCapturePrompt(); ok {
		_, err = fmt.Fprintln(e.out, prompt.PromptMessage)
		return err
	}
	answer, ok := response.GetChatAnswer()
	if !ok {
		return errors.New("the API sent neither an answer nor a prompt")
	}
	confidence, _ := answer.Confidence.Get()
	e.printAnswer(answer.Answer, answer.Sources, confidence, answer.SuggestedFollowUps)
	return nil
}

// askAsUser asks as a member of the company. It is for projects whose key is not known here.
func (c *askCommand) askAsUser(e *environment) error {
	api, projectID, err := c.open(e, devclient.Member)
	if err != nil {
		return err
	}
	answer, err := api.DashboardChat(e.ctx, &mainapi.ChatRequest{Question: c.Question}, mainapi.DashboardChatParams{ProjectID: projectID})
	if err != nil {
		return apiclient.Explain(err)
	}
	if c.JSON {
		return e.printJSON(answer)
	}
	e.printAnswer(answer.Answer, answer.Sources, answer.Confidence, answer.SuggestedFollowUps)
	return nil
}

func (e *environment) printAnswer(text string, sources []mainapi.CitationSource, confidence mainapi.Confidence, followUps []string) {
	_, _ = fmt.Fprintln(e.out, text)
	if len(sources) > 0 {
		_, _ = fmt.Fprintln(e.out)
	}
	for i := range sources {
		_, _ = fmt.Fprintf(e.out, "[%d] %s: “%s”\n", sources[i].Index, apiclient.Place(&sources[i]), apiclient.Quote(&sources[i]))
	}
	if confidence.Level != "" {
		_, _ = fmt.Fprintf(e.out, "\nConfidence: %s (%.2f)\n", confidence.Level, confidence.Score)
	}
	if len(followUps) > 0 {
		_, _ = fmt.Fprintln(e.out, "\nYou can also ask:")
	}
	for _, question := range followUps {
		_, _ = fmt.Fprintf(e.out, "  - %s\n", question)
	}
}
