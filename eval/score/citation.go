package score

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Citation is an excerpt and the place that an answer gives for it.
type Citation struct {
	Excerpt    string
	Page       int // 0 = no page
	Start, End int // code points in the text of the page, or of the document without pages
	Spanned    bool
}

// Source is the text of a document that is cited.
type Source struct {
	Pages []string // one element for a document without pages
	Paged bool
}

// ReadingSeparator separates several texts of one page.
const ReadingSeparator = "\x00"

// Verify returns what is wrong with c. An empty text means that the excerpt is at its place word for word. White space, ligatures, soft
// hyphens and hyphens at line ends do not count. The order of the lines on a page of a PDF is not certain, so on such a page each line
// of the excerpt is looked for by itself.
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
	return checkLength(c)
}

func (s *Source) verifySpan(c *Citation, excerpt string) string {
	if c.Page != 0 {
		return "it names a page, but the document has no pages"
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
	return checkLength(c)
}

// checkLength returns what is wrong with the length of the span, which counts code points of the same text as the excerpt.
func checkLength(c *Citation) string {
	switch n := len([]rune(c.Excerpt)); {
	case !c.Spanned:
		return "the span is missing"
	case c.End-c.Start < len([]rune(strings.TrimSpace(c.Excerpt))), c.End-c.Start > n+16 && c.End-c.Start > n+n/4:
		return "the span and the excerpt differ in length"
	default:
		return ""
	}
}

// fold removes what may differ between two readings of the same print.
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
