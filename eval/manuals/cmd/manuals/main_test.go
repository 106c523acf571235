package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
)

func TestFault(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"a.html": "the page size is 4096.", "b.html": "nothing about colours."}
	tests := map[string]struct {
		q    manuals.Question
		want string
	}{
		"the quote is there":         {manuals.Question{Answerable: true, Filename: "a.html", Quote: "The page  size is 4096."}, ""},
		"the quote is not there":     {manuals.Question{Answerable: true, Filename: "b.html", Quote: "The page size"}, "the quote is not in b.html"},
		"the document is not there":  {manuals.Question{Answerable: true, Filename: "c.html", Quote: "x"}, "c.html is not there"},
		"what must be absent is":     {manuals.Question{Filename: "a.html", Absent: []string{"page colour"}}, ""},
		"what must be absent is not": {manuals.Question{Filename: "a.html", Absent: []string{"Colours"}}, `b.html holds "Colours"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, fault(&tt.q, texts))
		})
	}
}
