package ragapi_test

import (
	"testing"

	"docqa/internal/testkit/blobtest"
)

func TestMain(m *testing.M) { blobtest.Main(m) }
