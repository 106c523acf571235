package lexical_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"GPLv3": {"3"}, "the GPL 3": {"3"}, "GPL version 3.0": {"3"}, "gpl-3": {"3"}, "GPL_v2 or GPL 3": {"2", "3"}, "version 3 of the GPL": {"3"}, "GPL": nil,
	} {
		require.Equal(t, want, lexical.Versions(text)["gpl"], text)
	}
}

func TestQuestion_versions(t *testing.T) {
	t.Parallel()
	indexer, st := lexical.NewIndexer(lexical.English), lexical.NewStats()
	for range 2 {
		for _, body := range []string{"The GPL 3 covers patents.", "The license LGPLv2 is lesser.", "It runs on utf8 and utf streams."} {
			st.Add(indexer.Terms(lexical.Passage{Body: body}))
		}
	}
	hits := func(question, text string) int { return len(st.Question(question).Find(text).Hits) }
	require.Equal(t, 2, hits("Does GPLv3 cover it?", "the GPL 3"))
	require.Equal(t, 1, hits("Does LGPL 2 allow it?", "the LGPLv2"))
	require.Equal(t, 1, hits("Does LGPL version 2 allow it?", "the LGPLv2"))
	require.Zero(t, hits("Is it utf8?", "utf 8"), "a word of the project is no version")
}
