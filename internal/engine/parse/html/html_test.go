package html_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/html"
)

const prose = "This paragraph is long enough to count as running text, for it holds well over ten words in a row. "

func blocks(t *testing.T, source string) []doc.Block {
	t.Helper()
	d, err := html.Parse(source)
	require.NoError(t, err)
	out := d.Pages[0].Blocks
	for i := range out {
		require.Equal(t, string([]rune(d.Pages[0].Text)[out[i].Start:out[i].End]), out[i].Text)
		out[i].Start, out[i].End = 0, 0
	}
	return out
}

func TestParse_readsBlocks(t *testing.T) {
	t.Parallel()
	got := blocks(t, `<title>A  page</title><h1>Top</h1>Bare &amp; <b>bold</b><p>one<br>two</p>
		<ul><li>first<ul><li>inner</li></ul></li></ul><table><tr><th>a<th>b</tr><tr><td>1<td><p>2</p></tr></table><pre>x
  y</pre><dl><dt>term<dd>meaning</dl>`)
	require.Equal(t, []doc.Block{
		{Kind: doc.Heading, Level: 1, Text: "Top"},
		{Kind: doc.Paragraph, Text: "Bare & bold"},
		{Kind: doc.Paragraph, Text: "one two"},
		{Kind: doc.ListItem, Level: 1, Text: "first"},
		{Kind: doc.ListItem, Level: 2, Text: "inner"},
		{Kind: doc.TableHeader, Text: "a\tb"},
		{Kind: doc.TableRow, Text: "1\t2"},
		{Kind: doc.Code, Text: "x\n  y"},
		{Kind: doc.Term, Level: 1, Text: "term"},
		{Kind: doc.Definition, Level: 1, Text: "meaning"},
	}, got)
}

func TestParse_takesTheArticle(t *testing.T) {
	t.Parallel()
	d, err := html.Parse(`<html><head><title>News</title><script>bad()</script></head><body>
		<nav><a href=/>Home</a></nav><header><a href=/x>Menu entry</a></header>
		<div class="main"><h1>The story</h1><p>` + strings.Repeat(prose, 3) + `</p><p>` + prose + `</p>
		<div class="related"><p>Elsewhere: ` + prose + `</p></div><p hidden>secret</p></div>
		<div class="comments"><p>I disagree. ` + prose + `</p></div><footer>Imprint</footer></body></html>`)
	require.NoError(t, err)
	require.Equal(t, "News", d.Title)
	text := d.Pages[0].Text
	require.Contains(t, text, "The story")
	for _, word := range []string{"Home", "Menu entry", "Elsewhere", "disagree", "Imprint", "secret", "bad"} {
		require.NotContains(t, text, word)
	}
}

func TestParse_keepsPagesWithoutAnArticle(t *testing.T) {
	t.Parallel()
	page := `<nav>Home</nav><h1>Contents</h1><ul>` + strings.Repeat(`<li><a href=x>Chapter one of the manual</a></li>`, 20) + `</ul><p>Short note.</p>`
	d, err := html.Parse(page)
	require.NoError(t, err)
	require.Equal(t, 20, strings.Count(d.Pages[0].Text, "Chapter one"))
	require.NotContains(t, d.Pages[0].Text, "Home")
}

func TestParse_refusesPagesWithoutText(t *testing.T) {
	t.Parallel()
	_, err := html.Parse(`<script>only()</script><img src=x>`)
	require.Equal(t, parse.CodeNoText, parse.CodeOf(err))
}

func TestParse_refusesDepth(t *testing.T) {
	t.Parallel()
	_, err := html.Parse("<p>shallow words</p>" + strings.Repeat("<div>", 600) + "deep")
	require.Equal(t, parse.CodeFailed, parse.CodeOf(err))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"<table><tr><td><table><tr><td>x", "<p>a<li>b<pre>\r\n</", "<title>x", "\xff<b", "<svg><p>x</svg>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		d, err := html.Parse(source)
		if err != nil {
			require.NotEmpty(t, parse.CodeOf(err))
			return
		}
		require.True(t, utf8.ValidString(d.Pages[0].Text))
		require.NotEmpty(t, d.Pages[0].Blocks)
	})
}

func BenchmarkParse(b *testing.B) {
	source := strings.Repeat("<h2>Head</h2><p>"+prose+"<a href=x>link</a></p><ul><li>one<li>two</ul>", 5000)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		_, err := html.Parse(source)
		require.NoError(b, err)
	}
}

func TestParse_keepsAllOfAManual(t *testing.T) {
	t.Parallel()
	d, err := html.Parse(`<body><table class="head"><tr><td>PACK(1)</td><td>Manual</td><td>PACK(1)</td></tr></table>
		<table><tr><td>[<a href="a.html"> &lt;&lt; </a>]</td><td>[<a href="b.html">Up</a>]</td><td>[<a href="c.html">Top</a>]</td></tr></table>
		<section id="what-to-share-and-more"><h1 id="NAME">NAME<a class="headerlink" href="#NAME">¶</a></h1><p>pack - put files together</p></section>
		<section><h1>OPTIONS</h1><a id="x">` + strings.Repeat("<p>"+prose+"</p>", 9) + `
		<dl><dt><a class="permalink" href="#a"><b>-a</b></a></dt><dd>All.</dd></dl><p>See <a href="#a">-a</a>.</p>
		<div class="sidebar"><p>Once upon a time, ` + prose + `</p></div><aside class="footnote">A remark.</aside></section>
		<p style="margin-left:11%;"><b>--long</b></p><p style="margin-left:22%;">Say it at length.</p></body>`)
	require.NoError(t, err)
	text := d.Pages[0].Text
	for _, kept := range []string{"NAME\n", "pack - put files together", "-a\n", "All.", "See -a.", "Once upon", "A remark.", "Say it"} {
		require.Contains(t, text, kept)
	}
	for _, chrome := range []string{"PACK(1)", "Up", "Top", "¶"} {
		require.NotContains(t, text, chrome)
	}
	blocks := d.Pages[0].Blocks
	require.Equal(t, doc.Term, blocks[len(blocks)-2].Kind)
	require.Equal(t, doc.Definition, blocks[len(blocks)-1].Kind)
}
