package config_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/config"
	"docqa/internal/platform/models"
)

// TestOperationsGuide compares the table of settings in the operator's guide with the code.
func TestOperationsGuide(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- settings:begin -->\n", "<!-- settings:end -->"
	guide, err := os.ReadFile("../../../docs/operations.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(guide), begin)
	require.True(t, found, begin)
	table, _, found := strings.Cut(rest, end)
	require.True(t, found, end)

	var want strings.Builder
	want.WriteString("| setting | default | for |\n|---|---|---|\n")
	for _, s := range config.Describe(&config.Config{}) {
		value := ""
		if s.Default != "" {
			value = "`" + s.Default + "`"
		}
		want.WriteString("| `" + s.Name + "` | " + value + " | " + s.Help + " |\n")
	}
	if table != want.String() {
		t.Errorf("docs/operations.md does not hold the settings as they are; put this between its marks:\n%s", want.String())
	}
}

// TestOperationsGuide_models reads the catalog that the operator's guide shows.
func TestOperationsGuide_models(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/operations.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(guide), "```yaml\n")
	require.True(t, found)
	catalog, _, _ := strings.Cut(rest, "```")
	read, problems := models.Read([]byte(catalog), func(string) (string, bool) { return "key", true })
	require.Empty(t, problems)
	require.Greater(t, len(read.List()), 3)
}
