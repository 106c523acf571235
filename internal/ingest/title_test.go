package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/search"
)

// TestIngest_titles: the title of a page is the document's, as long as no other document of the project has it.
func TestIngest_titles(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := search.New(search.Deps{Store: b.Store, Clock: b.Clock, Vectors: search.NewModels()})
	titles := func() map[string]string {
		t.Helper()
		found, err := s.Search(b.Ctx(), b.CompanyID, b.ProjectID(), search.Query{Text: "pumps", TopK: 10, Mode: search.Keyword})
		require.NoError(t, err)
		out := map[string]string{}
		for _, p := range found.Passages {
			out[p.Filename] = p.Title
		}
		return out
	}
	page := func(title, text string) string {
		return "<title>" + title + "</title><p>" + text + " pumps are described on this page.</p>"
	}
	b.Indexed(t, "blue-1.html", page("Blue pumps", "Blue"))
	b.Indexed(t, "notes.md", "# Notes\n\nOf pumps.")
	require.Equal(t, map[string]string{"blue-1.html": "Blue pumps", "notes.md": "notes"}, titles())

	again := b.Indexed(t, "red-2.html", page("Blue pumps", "Red"))
	require.Equal(t, map[string]string{"blue-1.html": "blue 1", "red-2.html": "red 2", "notes.md": "notes"}, titles(), "two pages have the title")

	require.NoError(t, b.Delete(again.DocumentID))
	require.Equal(t, map[string]string{"blue-1.html": "Blue pumps", "notes.md": "notes"}, titles(), "one page has it again")
}
