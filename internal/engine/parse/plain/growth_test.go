package plain_test

import (
	"fmt"
	"testing"

	"docqa/internal/engine/parse/plain"
	"docqa/internal/testkit/growthtest"
)

// TestParse_takesLinearTime: no text of some hundred kilobytes keeps a worker busy.
func TestParse_takesLinearTime(t *testing.T) { //nolint:paralleltest // it measures
	for _, text := range []string{ //nolint:paralleltest // it measures
		"a\n", "\n", " \n", "       a\n", "       -a\n", "       -a  b\n", "       -a  b\n           c\n", "   a\n       b\n\n", "\t", "  ", "\f", "a:\n\n         b\n\n",
		"a ....", ". ", "1 .... 3\n", "- a\n", "NAME\n       a\n\n", "a,\n", "│a│\n", "+-+\n|a|\n", "+-+\n", "a\n---\n", "       LISTS  a\n", "       $a = 1;\n\n", "   a\n     b\n       c\n",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			growthtest.Linear(t, growthtest.Repeat(text), func(source string) { plain.Parse(source) })
		})
	}
}
