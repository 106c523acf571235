package apitest

import (
	"context"
	"testing"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
	"docqa/internal/testkit/factory"
)

// ShopOrigin is the origin that a project of Shop allows.
const ShopOrigin = "https://shop.example.com"

// Shop makes a project of c that holds two documents of a shop.
func (c *Company) Shop(t *testing.T) dbsqlc.Project {
	t.Helper()
	p := c.Project(t, ShopOrigin)
	ten := factory.Tenant{CompanyID: c.ID, Project: p}
	factory.Document(t, c.env.Store, ten, p.ProjectID, "warranty-terms.txt",
		"The warranty lasts 24 months from the date of purchase. It covers faults in material and workmanship.",
		"The workshop repairs bicycles on weekdays between nine and five.")
	factory.Document(t, c.env.Store, ten, p.ProjectID, "delivery.txt", "Delivery to Iceland takes five working days.")
	factory.Reindex(t, c.env.Store, ten, p.ProjectID, factory.Epoch())
	return p
}

// Shop is a running installation with one company, whose project holds the two documents.
type Shop struct {
	*Env
	Company *Company
	Project dbsqlc.Project
}

// NewShop starts an installation that writes answers with FailingWriter.
func NewShop(t *testing.T) *Shop {
	t.Helper()
	e := New(t, Options{Model: FailingWriter()})
	c := e.Company(t, "enterprise")
	return &Shop{Env: e, Company: c, Project: c.Shop(t)}
}

// FailingWriter answers as the built-in writer does, except to three questions: "break" (502),
// "hang" (504) and "panic".
func FailingWriter() chat.Writer { return failingWriter{chat.Extractive()} }

type failingWriter struct{ chat.Writer }

// Write answers the task, or fails.
func (w failingWriter) Write(ctx context.Context, t chat.Task, emit func(string)) (llm.Answer, error) {
	switch t.Question {
	case "break":
		return llm.Answer{}, apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model failed")
	case "panic":
		panic("the model broke")
	case "hang":
		return llm.Answer{}, apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "the model took too long")
	}
	return w.Writer.Write(ctx, t, emit)
}
