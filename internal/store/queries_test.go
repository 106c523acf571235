package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/dbtest"
)

// TestEveryQueryPrepares holds each generated query against the migrated tables, as the
// application's role: sqlc reads the migrations, but only Postgres knows operators,
// extensions and grants.
func TestEveryQueryPrepares(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	files, err := filepath.Glob("../../gen/dbsqlc/*.go")
	require.NoError(t, err)
	statement := regexp.MustCompile("(?s)const (\\w+) = `-- name: .*?\n(.*?)`")
	prepared := 0
	conn, err := s.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range statement.FindAllStringSubmatch(string(text), -1) {
			_, err := conn.Conn().Prepare(t.Context(), match[1], match[2])
			require.NoError(t, err, "%s in %s", match[1], file)
			prepared++
		}
	}
	require.Greater(t, prepared, 50)
}
