package quality

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/dataset"
	"docqa/eval/score"
	"docqa/gen/mainapi"
)

func cited(index int, excerpt string, start int) mainapi.CitationSource {
	return mainapi.CitationSource{
		Index: index, DocumentID: "doc_1", Excerpt: excerpt,
		ExcerptSpan: mainapi.NewOptCitationSpan(mainapi.CitationSpan{Start: start, End: start + len(excerpt)}),
	}
}

func TestScoreReply(t *testing.T) {
	t.Parallel()
	sources := map[string]*score.Source{"a.txt": {Pages: []string{"It lasts two years. It costs nothing."}}}
	files := map[string]string{"doc_1": "a.txt"}
	q := &dataset.Question{ID: "7", Answers: []string{"two years"}}

	got := scoreReply(q, &reply{
		text: "It lasts two years [1]. More [2].", answered: true, confidence: .8,
		sources: []mainapi.CitationSource{cited(1, "It lasts two years.", 0), cited(3, "It costs nothing.", 5)},
	}, sources, files)
	require.True(t, got.InWords && got.InSentences && got.InAll)
	require.Equal(t, 2, got.Sources)
	require.Equal(t, 1, got.Verbatim)
	require.Equal(t, []string{"question 7, source 3 of a.txt: the excerpt is not at its span"}, got.problems)
	require.Equal(t, 2, got.Markers)
	require.Equal(t, 1, got.Resolved, "no source is called 2")

	late := scoreReply(q, &reply{text: strings.Repeat("word ", 45) + "two years.", answered: true}, sources, files)
	require.False(t, late.InWords)
	require.True(t, late.InAll)

	refused := scoreReply(q, &reply{text: "The documents do not say how two years pass.", confidence: .2}, sources, files)
	require.False(t, refused.InAll, "a refusal holds no answer")
	require.InDelta(t, .2, refused.Confidence, 1e-9, "and keeps its confidence")
}
