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

func TestParse_saysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page string
		want []doc.LeftOut
	}{
		"nothing":                       {"<p>All of it.</p>", nil},
		"scripts and controls are none": {"<script>var x</script><style>p{}</style><p>All of it.</p><button>Go</button>", nil},
		"hidden text":                   {`<p>All.</p><p style="display: none">four<script>no</script></p><table><tr><td hidden>five5</td><td>cell</td></tr></table>`, []doc.LeftOut{{Reason: doc.Hidden, Characters: 9}}},
		"an article":                    {`<nav>Home</nav><div><p>` + prose + `</p></div><div class="comments"><p>` + prose + `</p></div>`, []doc.LeftOut{{Reason: doc.Navigation, Characters: 4}, {Reason: doc.Surroundings, Characters: len(prose) - 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := html.Parse(tt.page)
			require.NoError(t, err)
			require.Equal(t, tt.want, d.LeftOut)
		})
	}
}

// TestParse_neverGivesAnEmptyPage: a page of nothing but navigation is read as it is.
func TestParse_neverGivesAnEmptyPage(t *testing.T) {
	t.Parallel()
	d, err := html.Parse(`<nav>` + strings.Repeat(`<a href="/x">Chapter</a><br>`, 50) + `</nav>`)
	require.NoError(t, err)
	require.Equal(t, 50, strings.Count(d.Pages[0].Text, "Chapter"))
	require.Empty(t, d.LeftOut)
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

// TestParse_kinds: what pages say with layout alone becomes structure.
func TestParse_kinds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"terms of a converter": {
			`<p style="margin-left:11%">Options are read first. <b><br>-d</b>, <b>--date</b>=<i>TEXT</i></p><p style="margin-left:22%">Show it.</p>
			<p style="margin-left:11%">0</p><p style="margin-left:22%">success</p>`,
			[]string{"p Options are read first.", "term -d, --date=TEXT", "def Show it.", "term 0", "def success"},
		},
		"rows that are no table": {
			`<table><tr><td></td><td><p><b>%a</b></p></td><td></td><td><p>the name of the day</p></td></tr><tr><td></td><td>•</td><td></td><td>one item</td></tr></table>`,
			[]string{"term %a", "def the name of the day", "li • one item"},
		},
		"a table with empty cells": {
			`<table><tr><td></td><td>a</td><td>b</td></tr></table>`,
			[]string{"tr \ta\tb"},
		},
		"a paragraph within a term":  {`<dl><dt><p>abs(X)</p></dt><dd>The value.</dd></dl>`, []string{"term abs(X)", "def The value."}},
		"a list of terms to indent":  {`<p>Try this:</p><dl><dt></dt><dd>$ run</dd></dl><p>Good.</p>`, []string{"p Try this:", "p $ run", "p Good."}},
		"entries below rules":        {`<hr><p><b>SET x;<br>SET x = </b><i>N</i></p><p>Sets it.</p><p>It is 3.</p><hr><p>Bye.</p>`, []string{"term SET x; SET x = N", "def Sets it.", "def It is 3.", "p Bye."}},
		"items with a bold name":     {`<ul><li><p><b>Length</b></p><p>It is 3.</p><ul><li>a part</li></ul></li><li>rest</li></ul>`, []string{"term Length", "def It is 3.", "li a part", "li rest"}},
		"questions in bold":          {`<p><b>Is it blue?</b></p><p>Yes.</p><p>Very.</p><p><b>Is it red?</b></p><p>No.</p><h2>More</h2><p>Rest.</p>`, []string{"term Is it blue?", "def Yes.", "def Very.", "term Is it red?", "def No.", "h More", "p Rest."}},
		"details":                    {`<details><summary>Is it blue?</summary><p>Yes.</p></details><p>Rest.</p>`, []string{"term Is it blue?", "def Yes.", "p Rest."}},
		"a table of contents":        {`<p>All:</p><h2>Top</h2><ul><li><a href="#a">A</a><li><a href="#b">B</a><li><a href="#c">C</a><li><a href="#d">D</a></ul><p>Text.</p>`, []string{"p All:", "h Top", "toc A", "toc B", "toc C", "toc D", "p Text."}},
		"an announced list of links": {`<p>The parts are:</p><ul><li><a href="#a">A</a><li><a href="#b">B</a><li><a href="#c">C</a><li><a href="#d">D</a></ul>`, []string{"p The parts are:", "li A", "li B", "li C", "li D"}},
		"words broken at line ends":  {"<p>A non-\nalphabetic sign, pre- and\npost-\nwar, x -\ny, use-<br>less.", []string{"p A non-alphabetic sign, pre- and post-war, x - y, use- less."}},
		"the head of a server":       {"Content-type: text/html\nX-By: me\n\n<html><title>Man page</title><body><p>Text.</p>", []string{"p Text."}},
		"the title in the page":      {"<title>Of pumps</title><div>Of pumps</div><p>They hum.</p>", []string{"h Of pumps", "p They hum."}},
		"headings within listings":   {"<pre># make\n<h2>All</h2>\n</pre><p>Done.</p>", []string{"pre # make\nAll", "p Done."}},
		"the title of a note":        {`<div class="note"><h3>Tip</h3><p>Save often.</p></div>`, []string{"cap Tip", "note Save often."}},
		"footnotes as terms":         {`<p>Text.</p><dl class="footnote"><dt>1</dt><dd>A remark.</dd></dl>`, []string{"p Text.", "foot 1", "foot A remark."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names := map[doc.Kind]string{
				doc.Paragraph: "p", doc.Heading: "h", doc.ListItem: "li", doc.TableHeader: "th", doc.TableRow: "tr", doc.Code: "pre", doc.Term: "term",
				doc.Definition: "def", doc.Caption: "cap", doc.Footnote: "foot", doc.Note: "note", doc.Contents: "toc",
			}
			var got []string
			for _, b := range blocks(t, tt.page) {
				got = append(got, names[b.Kind]+" "+b.Text)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestParse_findsSections: the article is what holds the sections of a manual; sections without headings lay out a page.
func TestParse_findsSections(t *testing.T) {
	t.Parallel()
	manual, err := html.Parse(`<div><section><h1>NAME</h1><p>pack - put together</p></section><section><h1>TEXT</h1>` + strings.Repeat("<p>"+prose+"</p>", 20) + `</section></div>`)
	require.NoError(t, err)
	require.Contains(t, manual.Pages[0].Text, "pack - put together")
	page, err := html.Parse(`<div><section class="block"><p>Published today</p></section><section class="block">` + strings.Repeat("<p>"+prose+"</p>", 20) +
		`<div class="widget"><b>Topics</b><i>,</i></div></section><section class="block"><h2>You may like this</h2></section></div>`)
	require.NoError(t, err)
	for _, chrome := range []string{"Published today", "Topics", "You may like"} {
		require.NotContains(t, page.Pages[0].Text, chrome)
	}
}
