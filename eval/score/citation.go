package score

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Citation is what an answer claims about a passage.
type Citation struct {
	Excerpt    string
	Page       int // 0 = no page
	Start, End int // code points in the text of the page, or of the document without pages
	Spanned    bool
}

// Source is the text in which citations must stand.
type Source struct {
	Pages []string // one element for a document without pages
	Paged bool
}

// ReadingSeparator stands between several readings of one page.
const ReadingSeparator = "\x00"

// Verify says what is wrong with c; empty means that the excerpt stands verbatim at its place. White
// space, ligatures, soft hyphens and hyphens at line ends do not count. The lines of a page have no
// order of their own, so on a page each line of the excerpt has to stand verbatim.
func (s *Source) Verify(c *Citation) string {
	excerpt := fold(c.Excerpt)
	if excerpt == "" {
		return "the excerpt is empty"
	}
	if !s.Paged {
		return s.verifySpan(c, excerpt)
	}
	if c.Page < 1 || c.Page > len(s.Pages) {
		return "the page does not exist"
	}
	if page := fold(s.Pages[c.Page-1]); !strings.Contains(page, excerpt) {
		for line := range strings.Lines(c.Excerpt) {
			if !strings.Contains(page, fold(line)) {
				return "the excerpt is not on the page: " + strings.TrimSpace(line)
			}
		}
	}
	return lengthOf(c)
}

func (s *Source) verifySpan(c *Citation, excerpt string) string {
	if c.Page != 0 {
		return "a page is named where there are none"
	}
	text := []rune(s.Pages[0])
	if !strings.Contains(fold(s.Pages[0]), excerpt) {
		return "the excerpt is not in the document"
	}
	if !c.Spanned {
		return "the span is missing"
	}
	if c.Start < 0 || c.End < c.Start || c.End > len(text) {
		return "the span lies outside the document"
	}
	if fold(string(text[c.Start:c.End])) != excerpt {
		return "the excerpt is not at its span"
	}
	return lengthOf(c)
}

// lengthOf compares the span's length with the excerpt's: the span counts code points of the same text.
func lengthOf(c *Citation) string {
	switch n := len([]rune(c.Excerpt)); {
	case !c.Spanned:
		return "the span is missing"
	case c.End-c.Start < len([]rune(strings.TrimSpace(c.Excerpt))), c.End-c.Start > n+16 && c.End-c.Start > n+n/4:
		return "the span's length is not the excerpt's"
	default:
		return ""
	}
}

// fold takes away what may differ between two readings of the same print.
func fold(text string) string {
	text = lineEndHyphen().ReplaceAllString(text, "")
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '\u2010' || r == '\u2011' || r == '\ufffe' || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
}

func lineEndHyphen() *regexp.Regexp { return regexp.MustCompile(`[-\x{00ad}\x{2010}]\s*\n\s*`) }
