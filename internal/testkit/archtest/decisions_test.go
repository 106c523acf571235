package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const repository = "../../.." // relative to this package

// textFiles returns the hand-written text files of the repository by their paths, relative to
// its root. Generated code and files that setup scripts install are left out.
func textFiles(t *testing.T, extensions ...string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(strings.TrimPrefix(path, repository+"/"))
		name := d.Name()
		if d.IsDir() {
			if path != repository && strings.HasPrefix(name, ".") || slices.Contains([]string{"gen", "bin", "node_modules", "testdata"}, name) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(extensions, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(repository, path))
		files[path] = string(text)
		return err
	}))
	require.NotEmpty(t, files)
	return files
}

// headings returns the anchors of the headings of a Markdown page.
func headings(page string) map[string]int {
	anchors := map[string]int{}
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(page, -1) {
		anchors[strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")]++
	}
	return anchors
}

// TestDecisionReferences checks that every reference to a decision names a heading of
// docs/decisions.md, and that no reference names the numbered page that it replaced.
func TestDecisionReferences(t *testing.T) {
	t.Parallel()
	files := textFiles(t, ".go", ".sql", ".yaml", ".yml", ".md", ".sh", ".mk", ".py")
	anchors := headings(files["docs/decisions.md"])
	for anchor, n := range anchors {
		require.Equal(t, 1, n, "docs/decisions.md has %d headings with the anchor %s", n, anchor)
	}
	numbered := regexp.MustCompile(`gaps[ ]sections?\b`)
	reference := regexp.MustCompile(`decisions\.md((?:,? ?#[a-z0-9-]+)+)`)
	name := regexp.MustCompile(`#([a-z0-9-]+)`)
	seen := 0
	for path, text := range files {
		if strings.HasPrefix(path, "internal/testkit/archtest/") {
			continue
		}
		if numbered.MatchString(text) {
			t.Errorf("%s refers to a page that readers do not have; name a heading of docs/decisions.md", path)
		}
		for _, r := range reference.FindAllStringSubmatch(text, -1) {
			for _, m := range name.FindAllStringSubmatch(r[1], -1) {
				seen++
				if anchors[m[1]] == 0 {
					t.Errorf("%s refers to docs/decisions.md#%s, which is no heading there", path, m[1])
				}
			}
		}
	}
	require.Positive(t, seen)
}

// TestDocLinks checks that the relative links of the pages lead to files and headings that exist.
func TestDocLinks(t *testing.T) {
	t.Parallel()
	files := textFiles(t, ".md")
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for path, text := range files {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			at := path
			if target != "" {
				at = filepath.ToSlash(filepath.Join(filepath.Dir(path), target))
				if _, err := os.Stat(filepath.Join(repository, at)); err != nil {
					t.Errorf("%s links to %s, which does not exist", path, m[1])
					continue
				}
			}
			if anchor != "" && headings(files[at])[anchor] == 0 {
				t.Errorf("%s links to %s, which has no such heading", path, m[1])
			}
		}
	}
}
