package archtest_test

import (
	_ "embed"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// wordList has a line for each word that is not used: where it is not used, the word as a
// regular expression over lower-case words, and the replacement. "name" matches a whole
// identifier, "text" a part of a comment or a page, "any" a part of either.
//
//go:embed words.txt
var wordList string

type oldWord struct {
	where, instead string
	pattern        *regexp.Regexp
}

func oldWords(t *testing.T) []oldWord {
	t.Helper()
	var words []oldWord
	for line := range strings.Lines(wordList) {
		column := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, column, 3, "words.txt: %q", line)
		require.Contains(t, []string{"any", "name", "text"}, column[0], "words.txt: %q", line)
		pattern := "(?:^| )(?:" + column[1] + ")(?: |$)"
		if column[0] == "name" {
			pattern = "^(?:" + column[1] + ")$"
		}
		words = append(words, oldWord{column[0], column[2], regexp.MustCompile(pattern)})
	}
	return words
}

// anyOf returns one expression that matches what any of the words matches.
func anyOf(words []oldWord) *regexp.Regexp {
	patterns := make([]string, len(words))
	for i, w := range words {
		patterns[i] = w.pattern.String()
	}
	return regexp.MustCompile(strings.Join(patterns, "|"))
}

// snippet is one name or one comment as lower-case words with single spaces between them.
type snippet struct {
	kind  string // name or text
	words string
	line  int
}

// TestWords fails if a name, a comment or a page uses a word that docs/glossary.md has
// replaced.
func TestWords(t *testing.T) {
	t.Parallel()
	words := oldWords(t)
	every := anyOf(words)
	for path, text := range textFiles(t, ".go", ".sql", ".md") {
		if strings.HasPrefix(path, "docs/adr/") || path == "docs/glossary.md" || path == "CHANGELOG.md" ||
			strings.HasPrefix(path, "examples/") || strings.HasPrefix(path, "internal/testkit/archtest/") {
			continue
		}
		for _, s := range snippets(path, text) {
			if !every.MatchString(s.words) {
				continue
			}
			for _, w := range words {
				if (w.where == "any" || w.where == s.kind) && w.pattern.MatchString(s.words) {
					t.Errorf("%s:%d: %q; say %s", path, s.line, strings.TrimSpace(w.pattern.FindString(s.words)), w.instead)
				}
			}
		}
	}
}

// snippets returns the names and comments of a Go file, and the paragraphs of any other file.
func snippets(path, text string) []snippet {
	if strings.HasSuffix(path, ".go") {
		return goSnippets(text)
	}
	var list []snippet
	line := 1
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		list = append(list, snippet{kind: "text", words: inWords(paragraph), line: line})
		line += strings.Count(paragraph, "\n") + 2
	}
	return list
}

func goSnippets(text string) []snippet {
	var list []snippet
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var scan scanner.Scanner
	scan.Init(file, []byte(text), nil, scanner.ScanComments)
	seen := map[string]bool{}
	comment := snippet{kind: "text"} // a block of comment lines
	for {
		pos, kind, literal := scan.Scan()
		if kind == token.COMMENT {
			if comment.words == "" {
				comment.line = file.Line(pos)
			}
			comment.words += inWords(literal) + " "
			continue
		}
		if comment.words != "" {
			list = append(list, comment)
			comment.words = ""
		}
		if kind == token.EOF {
			return list
		}
		if kind == token.IDENT && !seen[literal] {
			seen[literal] = true
			list = append(list, snippet{kind: "name", words: inWords(literal), line: file.Line(pos)})
		}
	}
}

// inWords returns the words of a text in lower case. A camelCase name becomes several words.
func inWords(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/4)
	before := ' '
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			if unicode.IsLower(before) {
				b.WriteByte(' ')
			}
			b.WriteRune(unicode.ToLower(r))
		case unicode.IsLetter(r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
		before = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
