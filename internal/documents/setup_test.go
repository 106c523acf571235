package documents_test

import (
	"testing"

	"docqa/internal/testkit/doctest"
)

func TestMain(m *testing.M) { doctest.Main(m) }

type bundle struct{ *doctest.Bundle }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{doctest.New(t)}
}
