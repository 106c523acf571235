package pdf_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/pdf"
)

// printer writes what pdftotext -tsv would.
type printer struct {
	b                 strings.Builder
	page, flow, block int
	proportional      bool // letters have different widths
}

func (p *printer) newPage() {
	p.page++
	fmt.Fprintf(&p.b, "1\t%d\t0\t0\t0\t0\t0\t0\t612\t792\t-1\t###PAGE###\n", p.page)
}

// say prints a block: lines of words at 6 points a letter from x, y downwards.
func (p *printer) say(x, y, height float64, lines ...string) {
	p.block++
	fmt.Fprintf(&p.b, "3\t%d\t%d\t%d\t0\t0\t0\t0\t0\t0\t-1\t###FLOW###\n", p.page, p.flow, p.block)
	for i, l := range lines {
		fmt.Fprintf(&p.b, "4\t%d\t%d\t%d\t%d\t0\t0\t0\t0\t0\t-1\t###LINE###\n", p.page, p.flow, p.block, i)
		at := x
		for j, w := range strings.Fields(l) {
			width := float64(len(w)) * 6
			if p.proportional {
				width += 2*float64(strings.Count(w, "w")+strings.Count(w, "m")) - float64(strings.Count(w, "i")+strings.Count(w, "e")+strings.Count(w, "t"))
			}
			fmt.Fprintf(&p.b, "5\t%d\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t100\t%s\n", p.page, p.flow, p.block, i, j, at, y+float64(i)*height*1.2, width, height, w)
			at += width + 3
		}
	}
}

func read(t *testing.T, p *printer) *doc.Document {
	t.Helper()
	d, err := pdf.Parse(strings.NewReader("level\tpage_num\tpar_num\tblock_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" + p.b.String()))
	require.NoError(t, err)
	for i := range d.Pages {
		runes := []rune(d.Pages[i].Text)
		for _, b := range d.Pages[i].Blocks {
			require.Equal(t, string(runes[b.Start:b.End]), b.Text)
		}
	}
	return d
}

func kinds(p *doc.Page) []string {
	names := map[doc.Kind]string{doc.Paragraph: "p", doc.Heading: "h", doc.ListItem: "li", doc.TableHeader: "th", doc.TableRow: "tr", doc.Code: "pre", doc.Term: "term", doc.Definition: "def", doc.Contents: "toc"}
	var out []string
	for _, b := range p.Blocks {
		out = append(out, names[b.Kind]+": "+b.Text)
	}
	return out
}

func TestParse_readsRunningText(t *testing.T) {
	t.Parallel()
	p := &printer{}
	p.newPage()
	p.say(72, 80, 18, "Care of wool")
	p.say(72, 120, 12, "Wool is washed at thirty degrees and never in-", "side a dryer, for the heat would make the fa-", "bric shrink. A low-temperature iron is fine.")
	p.say(72, 200, 12, "• Use mild soap in every wash, and not", "too much of it.")
	p.say(72, 240, 12, "• Rinse twice.")
	p.say(72, 300, 12, "The paragraph goes on over a block and stops in the middle of its")
	p.say(72, 330, 12, "sentence before the end. The fabric is soft.")
	d := read(t, p)
	require.True(t, d.Paged())
	require.Equal(t, []string{
		"h: Care of wool",
		"p: Wool is washed at thirty degrees and never inside a dryer, for the heat would make the fabric shrink. A low-temperature iron is fine.",
		"li: • Use mild soap in every wash, and not too much of it.",
		"li: • Rinse twice.",
		"p: The paragraph goes on over a block and stops in the middle of its sentence before the end. The fabric is soft.",
	}, kinds(&d.Pages[0]))
}

func TestParse_keepsTheHyphensOfCompounds(t *testing.T) {
	t.Parallel()
	p := &printer{}
	p.newPage()
	p.say(72, 80, 12, "The in-network rate is lower, and going out-of-", "network costs more than staying in-", "network. Our network is based on content, and it is a content-", "based one, run by Austro-", "Mechana.")
	require.Equal(t, "The in-network rate is lower, and going out-of-network costs more than staying in-network. Our network is based on content, and it is a content-based one, run by Austro-Mechana.",
		read(t, p).Pages[0].Text)
}

func TestParse_putsTableRowsTogether(t *testing.T) {
	t.Parallel()
	p := &printer{}
	p.newPage()
	p.say(72, 80, 12, "The table below shows sales, which grew in every year that we report on here.")
	p.say(72, 120, 12, "Product sales", "Service sales", "Total") // poppler reads columns
	p.say(300, 105.6, 12, "2016")
	p.say(300, 120, 12, "79,268", "27,738", "107,006")
	p.say(400, 105.6, 12, "2017")
	p.say(400, 120, 12, "94,665", "41,322", "135,987")
	p.say(72, 200, 12, "Sales include shipping, which we charge to all customers who ask for it to be fast.")
	require.Equal(t, []string{
		"p: The table below shows sales, which grew in every year that we report on here.",
		"th: 2016\t2017",
		"tr: Product sales\t79,268\t94,665",
		"tr: Service sales\t27,738\t41,322",
		"tr: Total\t107,006\t135,987",
		"p: Sales include shipping, which we charge to all customers who ask for it to be fast.",
	}, kinds(&read(t, p).Pages[0]))
}

func TestParse_leavesRunningHeadsOutOfBlocks(t *testing.T) {
	t.Parallel()
	p := &printer{}
	for i := range 4 {
		p.newPage()
		p.say(72, 20, 10, "Annual Report")
		p.say(72, 200, 12, fmt.Sprintf("Page %d holds a sentence of its own, as every page does.", i+1))
		p.say(300, 770, 10, strconv.Itoa(i+1))
	}
	d := read(t, p)
	require.Len(t, d.Pages, 4)
	for i := range d.Pages {
		require.Len(t, d.Pages[i].Blocks, 1)
		require.Contains(t, d.Pages[i].Text, "Annual Report", "it stays in the text")
		require.Equal(t, i+1, d.Pages[i].Number)
	}
	require.Equal(t, []doc.LeftOut{{Reason: doc.RunningHead, Characters: 4 * len("Annual Report1")}}, d.LeftOut)
}

// TestParse_findsHeadsByPages: at any height, with the title of a chapter that changes, on left and right pages.
func TestParse_findsHeadsByPages(t *testing.T) {
	t.Parallel()
	p := &printer{}
	for i := range 12 {
		p.newPage()
		chapter := []string{"Pumps", "Pumps", "Pumps", "Hoses", "Hoses", "Seals", "Valves", "Valves", "Valves", "Valves", "Lamps", "Lamps"}[i]
		if i%2 == 0 {
			p.say(72, 110, 10, fmt.Sprintf("%s %d", chapter, i+1))
		} else {
			p.say(300, 110, 10, fmt.Sprintf("%d The Handbook", i+1))
		}
		p.say(72, 200, 12, "The part "+strings.Repeat("x", i+1)+" is described on this page with a sentence.", "It has two lines.")
	}
	for i, page := range read(t, p).Pages {
		require.Len(t, page.Blocks, 1, "page %d", i+1)
		require.True(t, strings.HasPrefix(page.Blocks[0].Text, "The part"), page.Blocks[0].Text)
	}
}

func TestParse_keepsWhatOnlyLooksLikeAHead(t *testing.T) {
	t.Parallel()
	p := &printer{}
	for _, title := range []string{"Pumps", "Hoses", "Seals"} {
		p.newPage()
		p.say(72, 110, 10, title)
		p.say(72, 200, 12, title+" are described on this page with a sentence.")
	}
	for _, page := range read(t, p).Pages {
		require.Len(t, page.Blocks, 2)
	}
}

// manualPage prints a page that is indented, with entries whose definition stands beside or below the term.
func manualPage() *printer {
	p := &printer{}
	p.newPage()
	p.say(72, 60, 12, "NAME")
	p.say(108, 74.4, 12, "pack - put files together into one")
	p.say(72, 100, 12, "OPTIONS")
	y := 114.4
	for _, name := range []string{"-a", "-b", "-c"} {
		p.say(108, y, 12, name)
		p.say(144, y, 12, "The option "+name+" is a good choice for", "everybody who packs files.")
		y += 40
	}
	for _, name := range []string{"--long-one", "--long-two", "--long-three"} {
		p.say(108, y, 12, name)
		p.say(144, y+14.4, 12, "The option "+name+" is a good choice for", "everybody who packs files.")
		y += 56
	}
	p.say(108, y, 12, "That is all there is to say of the options of this program.")
	return p
}

func TestParse_readsManualPages(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"h: NAME", "p: pack - put files together into one", "h: OPTIONS",
		"term: -a", "def: The option -a is a good choice for everybody who packs files.",
		"term: -b", "def: The option -b is a good choice for everybody who packs files.",
		"term: -c", "def: The option -c is a good choice for everybody who packs files.",
		"term: --long-one", "def: The option --long-one is a good choice for everybody who packs files.",
		"term: --long-two", "def: The option --long-two is a good choice for everybody who packs files.",
		"term: --long-three", "def: The option --long-three is a good choice for everybody who packs files.",
		"p: That is all there is to say of the options of this program.",
	}, kinds(&read(t, manualPage()).Pages[0]))
}

func TestParse_goesOnWithADefinitionOnTheNextPage(t *testing.T) {
	t.Parallel()
	p := manualPage()
	p.say(108, 520, 12, "--last")
	p.say(144, 534.4, 12, "The last option begins here.")
	p.newPage()
	p.say(144, 60, 12, "It ends on the page behind.")
	p.say(108, 90, 12, "That is all there is to say of the options of this program.")
	require.Equal(t, []string{"def: It ends on the page behind.", "p: That is all there is to say of the options of this program."}, kinds(&read(t, p).Pages[1]))
}

func TestParse_readsListingsByTheirType(t *testing.T) {
	t.Parallel()
	p := &printer{proportional: true}
	p.newPage()
	p.say(72, 60, 12, "Run these commands, which are set in type of one width:")
	p.proportional = false
	p.say(90, 80, 10, "make all -j 4", "cd out folder", "ls -l -a")
	p.proportional = true
	p.say(72, 150, 12, "Then go on with the next chapter of this book.")
	got := kinds(&read(t, p).Pages[0])
	require.Equal(t, "pre: make all -j 4\ncd out folder\nls -l -a", got[1])
}

func TestParse_readsTablesOfContents(t *testing.T) {
	t.Parallel()
	p := &printer{}
	p.newPage()
	p.say(72, 60, 12, "1. Pumps ............ 3", "2. Hoses ............ 7")
	p.say(72, 150, 12, "This book is about pumps and hoses.")
	require.Equal(t, []string{"toc: 1. Pumps ............ 3", "toc: 2. Hoses ............ 7", "p: This book is about pumps and hoses."}, kinds(&read(t, p).Pages[0]))
}

func TestParse_cleansWords(t *testing.T) {
	t.Parallel()
	p := &printer{}
	p.newPage()
	p.say(72, 80, 12, "The eﬃcient oﬀi\u00adce\ufffe \uf0b7 is open.")
	// bold type made by printing a word twice
	p.b.WriteString("5\t1\t0\t1\t0\t9\t300.00\t80.00\t30.00\t12.00\t100\tNOW\n5\t1\t0\t1\t0\t9\t300.40\t80.20\t30.00\t12.00\t100\tNOW\n")
	require.Equal(t, "The efficient office \uf0b7 is open. NOW", read(t, p).Pages[0].Text)
}

func TestParse_refuses(t *testing.T) {
	t.Parallel()
	many := &printer{}
	for range parse.MaxPages + 1 {
		many.newPage()
	}
	blank := &printer{}
	blank.newPage()
	for name, tt := range map[string]struct{ tsv, code string }{
		"too many pages": {many.b.String(), parse.CodePages},
		"no words":       {blank.b.String(), parse.CodeNoText},
		"nothing":        {"", parse.CodeNoText},
		"an endless row": {strings.Repeat("x", 2<<20), parse.CodeFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pdf.Parse(strings.NewReader(tt.tsv))
			require.Equal(t, tt.code, parse.CodeOf(err))
		})
	}
}

func FuzzParse(f *testing.F) {
	p := &printer{}
	p.newPage()
	p.say(72, 80, 12, "One line-", "two 3,4 % 5.")
	p.say(72, 110, 12, "a 1 2", "b 3 4", "• c")
	f.Add(p.b.String())
	f.Add("5\t1\t0\t0\t0\t0\tNaN\t-1\t1e308\t0\t100\tx-\n")
	f.Add("1\t1\t0\t0\t0\t0\t0\t0\t0\t0\t-1\t\n5\t1\t0\t0\t0\t0\tNaN\tInf\t-Inf\t0\t100\t-\n")
	f.Fuzz(func(t *testing.T, tsv string) {
		d, err := pdf.Parse(strings.NewReader(tsv))
		if err != nil {
			require.NotEmpty(t, parse.CodeOf(err))
			return
		}
		for i := range d.Pages {
			runes := []rune(d.Pages[i].Text)
			for _, b := range d.Pages[i].Blocks {
				require.Equal(t, string(runes[b.Start:b.End]), b.Text)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	p := &printer{}
	for range 50 {
		p.newPage()
		for i := range 12 {
			p.say(72, 60+float64(i)*60, 12, "Some words that make a line of running text, as long as lines are", "and a second line that ends.")
		}
	}
	tsv := p.b.String()
	b.SetBytes(int64(len(tsv)))
	for b.Loop() {
		_, err := pdf.Parse(strings.NewReader(tsv))
		require.NoError(b, err)
	}
}
