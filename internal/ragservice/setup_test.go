package ragservice_test

import (
	"testing"

	"docqa/internal/idempotency"
	"docqa/internal/ragservice"
	"docqa/internal/testkit/doctest"
)

func TestMain(m *testing.M) { doctest.Main(m) }

type bundle struct {
	*doctest.Bundle
	rag *ragservice.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := doctest.New(t)
	return &bundle{Bundle: b, rag: ragservice.New(ragservice.Deps{
		Store: b.Store, Objects: b.Objects, Jobs: b.Jobs, Clock: b.Clock, Documents: b.Documents, Ingestion: b.Ingest,
		Once: idempotency.New(b.Clock, nil),
	})}
}
