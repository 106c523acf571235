package manuals

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fault is a reason why a reply cannot be read as an answer.
type Fault string

// The faults of a reply.
const (
	Empty      Fault = "empty"      // no text besides markers
	Fragment   Fault = "fragment"   // a sentence without its beginning or its end
	OnlyTitle  Fault = "heading"    // nothing but a heading
	Debris     Fault = "debris"     // leader dots, navigation, a page number, the sign of a link, a listing in one line
	Unbalanced Fault = "unbalanced" // a bracket or a quote that is not closed
)

// Faults returns what keeps the reply to q from being read, nothing if it is readable. Code, lists and rows of tables need no full stop,
// and a value alone is a reply. A number alone is debris only in the form of a page ("page 3", "3 of 12").
func Faults(q *Question, text string) []Fault {
	text = plain(text)
	if text == "" {
		return []Fault{Empty}
	}
	var list []Fault
	blocks := blocksOf(text)
	if slices.ContainsFunc(blocks, isDebris) {
		list = append(list, Debris)
	}
	if len(blocks) == 1 && isTitle(blocks[0]) {
		list = append(list, OnlyTitle)
	} else if isFragment(blocks, namesIn(q)) {
		list = append(list, Fragment)
	}
	if !balanced(text) {
		list = append(list, Unbalanced)
	}
	return list
}

// Readable reports whether a reply has no fault.
func Readable(q *Question, text string) bool { return len(Faults(q, text)) == 0 }

// block is a paragraph of a reply: code, an item of a list, a row of a table, or prose.
type block struct {
	text string
	free bool // code, list, table: neither a capital letter nor a full stop is needed
	led  bool // the block before ends with a colon
}

var (
	listItem = regexp.MustCompile(`^(?:[-*•–]|\d{1,2}[.)])\s+\S`)
	termLine = regexp.MustCompile(`^\S.{0,80}?\s(?:–|—|-)\s\S`)
)

func blocksOf(text string) []block {
	var list []block
	code, led := false, false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code = !code
			continue
		}
		if trimmed == "" {
			continue
		}
		free := code || led && looksLikeCode(trimmed) || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") ||
			listItem.MatchString(trimmed) || strings.Contains(trimmed, " | ") || looksLikeCode(trimmed)
		list = append(list, block{text: trimmed, free: free, led: led})
		led = strings.HasSuffix(trimmed, ":")
	}
	return list
}

var codeSigns = regexp.MustCompile("^(?:[$#>%]\\s|`|--?[\\w?]|[\\w./~-]+\\s+-{1,2}\\w|[\\w.]+\\(.*\\)$|[\\w.]+\\s*=\\s*\\S)|[;{}]$")

func looksLikeCode(line string) bool { return codeSigns.MatchString(line) }

var (
	residue    = regexp.MustCompile(`\s>>>\s|\^{4,}`) // a listing that has lost its lines
	leader     = regexp.MustCompile(`(?:\.\s?){5,}|_{6,}`)
	pageNumber = regexp.MustCompile(`^(?:page\s+\d{1,4}|\d{1,4}\s*(?:/|of)\s*\d{1,4}|-\s?\d{1,4}\s?-)$`)
	navigation = regexp.MustCompile(`(?i)^(?:prev(?:ious)?|next|up|home|top|contents|index|table of contents)(?:\W+|$)`)
	navWords   = regexp.MustCompile(`(?i)\b(?:prev(?:ious)?|next|up|home|top|contents|index|modules|search|skip|navigation)\b`)
)

// isDebris reports whether a block is no text of the article. A short block of mostly navigation words is navigation.
func isDebris(b block) bool {
	if leader.MatchString(b.text) || residue.MatchString(b.text) && !b.free || strings.Contains(b.text, "¶") || !b.led && pageNumber.MatchString(strings.ToLower(b.text)) {
		return true
	}
	n := len(strings.Fields(b.text))
	return n <= 12 && navigation.MatchString(b.text) && 2*len(navWords.FindAllString(b.text, -1)) >= n
}

// isTitle reports whether a block is a heading: a few words without a verb's sentence, or a number and words in capitals.
func isTitle(b block) bool {
	if b.free || termLine.MatchString(b.text) || endsSentence(b.text) || strings.Contains(b.text, ":") {
		return false
	}
	n := len(strings.Fields(b.text))
	return n > 1 && n <= 10 && beginsCapital(b.text) && !strings.ContainsAny(b.text, `"'=(<`)
}

func isFragment(blocks []block, names []string) bool {
	for i, b := range blocks {
		if b.free {
			continue
		}
		bare := len(blocks) == 1 && len(strings.Fields(b.text)) <= 3 // a value alone
		if bare {
			continue
		}
		if !b.led && startsLower(b.text, names) && !termLine.MatchString(b.text) {
			return true
		}
		last := i == len(blocks)-1
		announces := strings.HasSuffix(b.text, ":") && !last
		if !announces && !endsSentence(b.text) && !b.led {
			return true
		}
	}
	return false
}

// startsLower reports whether prose begins in the middle of a sentence. A small letter is right where a name begins it: a word with signs
// such as "c.execute", a term that is explained ("width (default: 70) …"), or a name that the question or the document has.
func startsLower(text string, names []string) bool {
	word, rest, _ := strings.Cut(text, " ")
	first, _ := utf8.DecodeRuneInString(word)
	if !unicode.IsLower(first) || strings.ContainsAny(word, "._-()=/0123456789:`") || strings.HasPrefix(rest, "(") {
		return false
	}
	return !slices.Contains(names, strings.ToLower(strings.TrimRight(word, ",;")))
}

// namesIn returns the words that may begin a sentence with a small letter: those of the question and of the document's name. Words that
// no name is, such as "the", are not among them.
func namesIn(q *Question) []string {
	return slices.DeleteFunc(words(q.Question+" "+strings.ReplaceAll(q.Filename, ".", " ")), isCommon)
}

func isCommon(word string) bool {
	switch word {
	case "and", "or", "but", "of", "to", "in", "on", "for", "with", "by", "from", "at", "as", "is", "are", "was", "be", "the", "a", "an",
		"this", "that", "these", "which", "who", "when", "while", "where", "if", "it", "its", "they", "not", "no", "than", "then", "will",
		"would", "can", "may", "must", "should", "has", "have", "does", "do", "also", "only", "used", "using", "because", "so", "into",
		"what", "how", "default", "mean", "many", "work":
		return true
	}
	return false
}

func beginsCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first) || unicode.IsDigit(first)
}

func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"'”’)]`*_ ")
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…。！？", last)
}

// balanced reports whether round and square brackets and double quotes are closed outside of code.
func balanced(text string) bool {
	text = codeSpan.ReplaceAllString(text, "")
	var prose []string
	for _, b := range blocksOf(text) {
		if !b.free {
			prose = append(prose, b.text)
		}
	}
	joined := strings.Join(prose, "\n")
	if strings.Count(joined, `"`)%2 != 0 || strings.Count(joined, "“") != strings.Count(joined, "”") {
		return false
	}
	return closed(joined, '(', ')') && closed(joined, '[', ']')
}

var codeSpan = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|" + `["']\W{1,3}["']|\s[\[\]()]\s`)

func closed(text string, open, shut rune) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth < 0 && open == '[' {
			return false
		}
	}
	return depth == 0 || open == '(' && depth < 0 // "a)" is a numbering
}
