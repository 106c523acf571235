package answer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/statement"
)

func said(kind statement.Kind, text string) quotation {
	return quotation{Span: statement.Span{Kind: kind, Text: text, Start: 3, End: 3 + len(text)}, text: text, folded: lower(text)}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	listing := said(statement.Code, "make [1](x)\n```\nend")
	listing.Lead = "Run this:"
	item := said(statement.Sentence, "- rust")
	item.text, item.Item, item.Lead = "rust", true, "Not covered:"
	entry := said(statement.Sentence, "The default is 80.")
	entry.Term, entry.passage = "port", 1
	for name, tt := range map[string]struct {
		chosen []quotation
		want   []string // the statements as they are written
	}{
		"a listing":                          {[]quotation{listing, entry}, []string{"Run this [1]:\n\n````\nmake [1](x)\n```\nend\n````", "port: The default is 80 [2]."}},
		"an item":                            {[]quotation{item}, []string{"Not covered: rust [1]."}},
		"code":                               {[]quotation{said(statement.Sentence, "Take `a[0](b)`.")}, []string{"Take `a[0](b)` [1]."}},
		"a backtick that a later one closes": {[]quotation{said(statement.Sentence, "A ` b."), said(statement.Sentence, "Not `[c](javascript:d)`.")}, []string{"A ` b [1].", "Not `[c] (d)` [1]."}},
		"runs of backticks":                  {[]quotation{said(statement.Sentence, "A ``` [b](c) ` d.")}, []string{"A ``` [b] (c) ` d [1]."}},
		"a run that closes":                  {[]quotation{said(statement.Sentence, "A `` ` [b](c) `` [d](e).")}, []string{"A `` ` [b](c) `` [d] (e) [1]."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, citations := write(tt.chosen, func(passage int) int { return passage + 1 })
			var got []string
			for i, c := range citations {
				got = append(got, text[c.Begin:c.End])
				require.Equal(t, []int{tt.chosen[i].passage, 3, tt.chosen[i].End}, []int{c.Passage, c.QuoteBegin, c.QuoteEnd})
			}
			require.Equal(t, tt.want, got)
		})
	}
}
