package mcpapi_test

import (
	"testing"

	"docqa/internal/testkit/apitest"
)

type bundle struct{ *apitest.Shop }

func setup(t *testing.T) *bundle {
	t.Helper()
	return &bundle{apitest.NewShop(t)}
}
