package grounded

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"docqa/internal/provider/llm"
)

//go:embed prompts
var files embed.FS

// noAnswer is the reply that a model must give if the passages hold no answer.
const noAnswer = "NO_ANSWER"

const (
	bytesPerToken = 3  // a token of the scripts in use has rather more
	markBytes     = 80 // of what stands around a passage or a turn
)

// prompts holds the parsed files, and the patterns that are removed from the texts in them.
type prompts struct {
	all      *template.Template
	markers  *regexp.Regexp // a document's own reference numbers
	ownMarks *regexp.Regexp // the beginning of a mark of the prompt
}

func parse() (*prompts, error) {
	all, err := template.ParseFS(files, "prompts/*.md")
	if err != nil {
		return nil, fmt.Errorf("parse the prompts: %w", err)
	}
	return &prompts{
		all: all, markers: regexp.MustCompile(`[ \t]?\[\d{1,3}\]`),
		ownMarks: regexp.MustCompile(`(?i)<(\s*/?\s*(?:passages?|history|earlier|question)\b)`),
	}, nil
}

func (p *prompts) fill(name string, data any) (string, error) {
	var out strings.Builder
	if err := p.all.ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("fill in %s: %w", name, err)
	}
	return strings.TrimSpace(out.String()), nil
}

type passage struct {
	Number                  int
	Document, Section, Text string
}

// system returns the part with the instructions of the service and of the project's owner.
func (p *prompts) system(r *llm.Request) (string, error) {
	language := r.Language
	if language == "" {
		language = "auto"
	}
	return p.fill("system.md", map[string]any{
		"Strict": r.Strict, "NoAnswer": noAnswer, "Language": language, "Tone": strings.TrimSpace(r.Tone),
		"Instructions": strings.TrimSpace(r.System),
	})
}

// user returns the part of the prompt that holds the documents' text and the question, and how
// many passages it used. It has at most maxBytes bytes, if the question is not longer: the last
// passages are left out if they do not fit.
func (p *prompts) user(r *llm.Request, maxBytes int) (text string, used int, err error) {
	var history []string
	maxBytes -= len(r.Question) + markBytes
	for _, turn := range r.History {
		history = append(history, p.plain(turn))
		maxBytes -= len(turn) + markBytes
	}
	var passages []passage
	for i := range r.Passages {
		one := &r.Passages[i]
		document, section := attribute(one.Title), attribute(strings.Join(one.HeadingPath, " > "))
		if maxBytes -= len(one.Text) + len(document) + len(section) + markBytes; maxBytes < 0 && i > 0 {
			break
		}
		body := p.plain(p.withoutMarkers(one.Text))
		if maxBytes < 0 { // the first one alone is too long
			body = strings.ToValidUTF8(body[:max(0, min(len(body), len(body)+maxBytes))], "")
		}
		passages = append(passages, passage{
			Number: i + 1, Document: document, Section: section, Text: body,
		})
	}
	text, err = p.fill("question.md", map[string]any{"Passages": passages, "History": history, "Question": p.plain(r.Question)})
	return text, len(passages), err
}

// withoutMarkers removes a document's own reference numbers: a model would repeat them, and
// they would look like citations.
func (p *prompts) withoutMarkers(text string) string {
	if !strings.ContainsRune(text, '[') {
		return text
	}
	return p.markers.ReplaceAllString(text, "")
}

// plain replaces the first character of the prompt's own marks in a text by one that looks
// similar, so that the text can neither open nor close them.
func (p *prompts) plain(text string) string {
	if !strings.ContainsRune(text, '<') {
		return text
	}
	return p.ownMarks.ReplaceAllString(text, "‹$1")
}

// attribute makes a text safe between quotation marks, on one line.
func attribute(text string) string {
	if !strings.ContainsAny(text, "\"<>\n\r\t") && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "'", "<", "‹", ">", "›").Replace(text)), " ")
}
