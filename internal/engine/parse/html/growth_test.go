package html_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse/html"
	"docqa/internal/testkit/growthtest"
)

// TestParse_takesLinearTime: no page of some hundred kilobytes keeps a worker busy.
func TestParse_takesLinearTime(t *testing.T) { //nolint:paralleltest // it measures
	shapes := map[string]func(n int) string{
		"paragraphs in deep divisions": nested("<div>", 450, "<p>"+prose),
		"rows in deep tables":          nested("<table><tr><td>", 120, "<table><tr><td>a<td>b<td>c<td>d</table>"),
		"feet in deep divisions":       nested("<div>", 450, "<footer>a</footer>"),
		"lists in lists":               nested("<ul><li>", 200, "<li>a"),
		"deep lists, again and again":  growthtest.Repeat(strings.Repeat("<ul><li>a", 60) + strings.Repeat("</ul>", 60)),
		"deep tables, again and again": growthtest.Repeat(strings.Repeat("<table><tr><td>a<td>", 40) + "<p>b<p>c<p>d<p>e" + strings.Repeat("</table>", 40)),
		"one row of many cells":        func(n int) string { return "<table><tr>" + strings.Repeat("<td>a", n/5) },
		"a cell of many paragraphs":    func(n int) string { return "<table><tr><td>" + strings.Repeat("<p>a", n/4) },
		"one element, many attributes": func(n int) string { return "<p " + numbered(`a%d=x `)(n) + ">" + prose },
		"many elements, many classes":  growthtest.Repeat(`<div class="` + strings.Repeat("wide ", 40) + `">a</div>`),
		"many styles":                  growthtest.Repeat(`<p style="` + strings.Repeat("a: b; ", 40) + `">a</p>`),
		"a long word":                  func(n int) string { return "<p>" + strings.Repeat("a", n) },
		"a long title":                 func(n int) string { return "<title>" + strings.Repeat("a ", n/2) + "</title><p>" + prose },
		"numbered anchors":             numbered(`<a name=%d>a</a>`),
		"preformatted":                 func(n int) string { return "<pre>" + strings.Repeat("<b>a</b>\n", n/9) },
	}
	for _, text := range []string{
		"<p>a", "<div>a</div>", "<b>", "<b>a</b>", "<a>", "<a href=x>a</a>", "<i><b></i></b>", "<p><b>a</p>", "</p>", "</br>", "</b>", "<li>a", "<dd>a<dt>b",
		"<table>", "<table><tr><td>", "<tr><td>a", "<td>a", "a<table>b</table>", "<table>a<tr>b</table>", "<caption>a", "<select><option>a", "<option>", "<svg>", "<svg><p>a</svg>", "<math><mi>a",
		"<!--", "<!-- a -->", "<!", "<?", "<![CDATA[", "<", "< ", "</", "<a", "<a b=\"", "<script>", "<script>a</script>", "<style>a</style>", "<textarea>a", "<title>a", "<plaintext>", "<template>", "<template>a</template>", "<noscript>a", "<iframe>a", "<frameset>",
		"&", "&amp;", "&amp", "&#1;", "&#x10FFFF;", "&notit;", "&CounterClockwiseContourIntegral;", "\x00", "\r", "\n", " ", "a ", "\xff",
		"<p><b>a?</b><p>b", "<hr><p><b>a</b>", "<li><b>a</b><p>b", "<a href=#x>a</a>", "<li><a href=#x>a</a>", "<tr><td><td>a<td><td>b", "<details><summary>a", "<p hidden>a",
		"<dt>a<dd>b", "<dt><dd>", "<blockquote>a", "a-\nb ", "<p>a?", "<div class=sidebar>a</div>", "<section><h1>a", "<h1>a</h1>", "<hr>", "<br>", "<pre>\na</pre>", "<form>", "<button>", "<object>", "<ruby><rt>a", "<html>", "<body>", "<head>",
	} {
		shapes[fmt.Sprintf("%q", text)] = growthtest.Repeat(text)
	}
	for name, input := range shapes { //nolint:paralleltest // it measures
		t.Run(name, func(t *testing.T) {
			growthtest.Linear(t, input, func(source string) { _, _ = html.Parse(source) })
		})
	}
}

// TestParse_tablesInTables: each level costs what it holds, not twice the one below.
func TestParse_tablesInTables(t *testing.T) {
	t.Parallel()
	const levels = 60
	page := strings.Repeat("<table><tr><td>", levels) + "<p>one<p>two<p>three<p>four" + strings.Repeat("</table>", levels)
	require.Equal(t, []doc.Block{
		{Kind: doc.Paragraph, Text: "one"},
		{Kind: doc.Paragraph, Text: "two"},
		{Kind: doc.Paragraph, Text: "three"},
		{Kind: doc.Paragraph, Text: "four"},
	}, blocks(t, page))
	require.Equal(t, []doc.Block{{Kind: doc.TableRow, Text: "one two\tthree"}},
		blocks(t, strings.Repeat("<table><tr><td>", levels)+"<p>one<p>two<td>three"+strings.Repeat("</table>", levels)))
}

// nested repeats text inside of many open elements.
func nested(open string, times int, text string) func(n int) string {
	return func(n int) string { return strings.Repeat(open, times) + strings.Repeat(text, n/len(text)) }
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
