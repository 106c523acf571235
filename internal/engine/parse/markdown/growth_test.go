package markdown_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"docqa/internal/engine/parse/markdown"
	"docqa/internal/testkit/growthtest"
)

// TestParse_takesLinearTime: no Markdown of some hundred kilobytes keeps a worker busy.
func TestParse_takesLinearTime(t *testing.T) { //nolint:paralleltest // it measures
	shapes := map[string]func(n int) string{
		"lines of dashes in columns": func(n int) string {
			side := int(math.Sqrt(float64(n))) / 3
			return "|" + strings.Repeat("a|", side) + "\n|" + strings.Repeat("-|", side) + "\n" + strings.Repeat("|"+strings.Repeat("b|", side)+"\n", side)
		},
		"a wide table of short rows": func(n int) string {
			return "|" + strings.Repeat("a|", n/8) + "\n|" + strings.Repeat("-|", n/8) + "\n" + strings.Repeat("|a\n", n/6)
		},
		"brackets in brackets":    nested("[", "]"),
		"links in links":          nested("[", "](a)"),
		"emphasis in emphasis":    nested("*a **b ", " c** d*"),
		"backticks, ever more":    growing("`", " "),
		"lists, ever deeper":      growing("  ", "- a\n\n"),
		"quotes, ever deeper":     growing(">", " a\n"),
		"a deep quote and blanks": func(n int) string { return strings.Repeat("> ", n/4) + strings.Repeat("\n", n/2) },
		"a deep quote, lazily":    func(n int) string { return strings.Repeat(">", n/2) + "a\n" + strings.Repeat("a\n", n/4) },
		"a long heading":          func(n int) string { return strings.Repeat("a\n", n/2) + "=" },
		"definitions":             numbered("[a%d]: /x\n"),
		"definitions with titles": numbered("[a%d]: /x 'title'\n"),
		"definitions in a list":   numbered("- [a%d]: /x\n"),
		"definitions in a quote":  numbered("> [a%d]: /x\n"),
		"definitions and links":   numbered("[a%[1]d]: /x\n\n[a%[1]d] "),
	}
	for _, text := range []string{
		"- **a** – b\n", "- `-a` b\n", "- **a", "- **a** –", "> **Note**\n", "> ", ">", "- ", "* ", "1. ", "+ - ", "> - ", "> a\n", "- a\n", "- ", "-\n\n", "*\t", "  ", "\n", "\t", "---\n", "a\n", "a\r", "a ",
		"[", "![", "[](", "a](", "[a][b] ", "[a [b", "[a]: /x\n", "[a]: ", "[a]: x '\n", "[a]: x (\n", "[a]:\n",
		"*", "_", "*a ", "a* ", "*a_ ", "**a", "a_b", "`", "`a ", "~~~\n~", "```\n", "\\", "&", "&amp", "http://",
		"<", "<a ", "<!-- ", "<!--\n", "<?", "<!A ", "<![CDATA[", "<a b=\"c", "<div>\n", "</div>\n\n", "\x00",
		"# a\n", "# #\n", "a\n=\n", "a\n-\n", "a|b\n-|-\n", "|", "||\n|-|\n", "    a\n", "\ta\n",
	} {
		shapes[fmt.Sprintf("%q", text)] = growthtest.Repeat(text)
	}
	for name, input := range shapes { //nolint:paralleltest // it measures
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, input, func(source string) { markdown.Parse(source) })
		})
	}
}

func nested(opening, closing string) func(n int) string {
	return func(n int) string {
		times := n / (len(opening) + len(closing))
		return strings.Repeat(opening, times) + strings.Repeat(closing, times)
	}
}

// growing repeats part once more on each line.
func growing(part, end string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(part, i) + end)
		}
		return b.String()
	}
}

func numbered(format string) func(n int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
}
