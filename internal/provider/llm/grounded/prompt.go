package grounded

import (
	"embed"
	"fmt"
	"slices"
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

const (
	answerPart  = 1200 // bytes of an earlier answer that a prompt holds
	answersPart = 3000 // of all of them together
)

// prompts holds the parsed files.
type prompts struct {
	all   *template.Template
	again string // what asks a second time
}

func parse() (*prompts, error) {
	all, err := template.ParseFS(files, "prompts/*.md")
	if err != nil {
		return nil, fmt.Errorf("parse the prompts: %w", err)
	}
	p := &prompts{all: all}
	p.again, err = p.fill("again.md", nil)
	return p, err
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
	maxBytes -= len(r.Question) + markBytes
	history, size := p.history(r.History)
	maxBytes -= size
	var passages []passage
	for i := range r.Passages {
		one := &r.Passages[i]
		document, section := attribute(one.Title), attribute(strings.Join(one.HeadingPath, " > "))
		body := one.Text
		if one.Context != "" { // a table that goes on carries its header, a definition its term
			body = one.Context + "\n" + body
		}
		if maxBytes -= len(body) + len(document) + len(section) + markBytes; maxBytes < 0 && i > 0 {
			break
		}
		body = p.plain(body)
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

// turn is an earlier question in a prompt.
type turn struct{ Question, Answer string }

// history returns the earlier questions and as much of their answers as fits, the latest first,
// with the bytes that they have in the prompt.
func (p *prompts) history(exchanges []llm.Exchange) (turns []turn, size int) {
	turns = make([]turn, len(exchanges))
	left := answersPart
	for i, e := range slices.Backward(exchanges) {
		turns[i].Question = p.plain(e.Question)
		size += len(e.Question) + markBytes
		if e.Answer == "" || left <= 0 {
			continue
		}
		answer := e.Answer
		if n := min(answerPart, left); len(answer) > n {
			answer = strings.ToValidUTF8(answer[:n], "") + " …"
		}
		left -= len(answer)
		size += len(answer) + markBytes
		turns[i].Answer = p.plain(withoutMarkers(answer))
	}
	return turns, size
}

// withoutMarkers removes the markers of an earlier answer: they number other passages.
func withoutMarkers(answer string) string {
	if !strings.ContainsRune(answer, '[') {
		return answer
	}
	return patterns().answered.ReplaceAllString(answer, "$1")
}

// plain replaces the first character of the prompt's own marks in a text by one that looks
// similar, so that the text can neither open nor close them.
func (p *prompts) plain(text string) string {
	if !strings.ContainsRune(text, '<') {
		return text
	}
	return patterns().ownMarks.ReplaceAllString(text, "‹$1")
}

// attribute makes a text safe between quotation marks, on one line.
func attribute(text string) string {
	if !strings.ContainsAny(text, "\"<>\n\r\t") && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "'", "<", "‹", ">", "›").Replace(text)), " ")
}
