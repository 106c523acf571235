package archtest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// optedOut is the number of queries without a company: for users, rate buckets, credentials,
// and sweeps that do not know a company yet. Add one only on purpose.
const optedOut = 29

// TestEveryQueryNamesTheCompany checks one of the measures that separate companies: every
// query has a parameter for the company, or a comment that it needs none.
func TestEveryQueryNamesTheCompany(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../queries/*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	bound := regexp.MustCompile(`(?i)company_id = (@|any\(@|sqlc\.)|insert into [a-z_ ]+\(company_id`)
	comment := regexp.MustCompile(`(?m)^\s*--.*$`)
	without := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, query := range strings.Split(string(text), "-- name: ")[1:] {
			name, sql, _ := strings.Cut(query, " ")
			if strings.Contains(sql, "-- @sqlc-vet-disable tenant-scoped") {
				without++
				continue
			}
			require.Regexp(t, bound, comment.ReplaceAllString(sql, ""), "%s in %s names no company", name, file)
		}
	}
	require.Equal(t, optedOut, without)
}
