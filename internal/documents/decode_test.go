package documents_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/jobs/jobargs"
)

type (
	removal    = jobargs.RemoveObject
	settlement = jobargs.SettleProject
)

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}
