package handlers_test

import (
	"testing"

	"docqa/internal/blobtest"
)

func TestMain(m *testing.M) { blobtest.Main(m) }
