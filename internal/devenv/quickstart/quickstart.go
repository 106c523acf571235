package quickstart

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/platform/clock"
)

// Options says where the API is, who calls it, and what to upload and ask.
type Options struct {
	BaseURL   string
	Token     string // of a member of the company
	Email     string // is printed
	ProjectID string // an existing project
	Key       string // an integration key of it
	Documents fs.FS
	Questions []Question // empty: the documents are only uploaded
	Vectors   bool       // the installation has an embedding model: wait for the vectors
	Out       io.Writer
	Terminal  bool // draw the progress bar in place
	Clock     clock.Clock
}

// Question is one of the examples' questions.
type Question struct {
	Name       string `json:"name"`
	Mode       string `json:"mode"` // json or stream
	Question   string `json:"question"`
	Session    string `json:"session"` // questions with the same session are one conversation
	Answerable bool   `json:"answerable"`
	Document   string `json:"document"` // the file that the first citation should name
	Contains   string `json:"contains"` // what the answer should hold
}

// ReadQuestions reads questions.json.
func ReadQuestions(files fs.FS, name string) ([]Question, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var list struct {
		Questions []Question `json:"questions"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list.Questions, nil
}

// Run uploads and asks. It fails if a call of the API fails or an example cannot be ingested.
// If the project holds only the examples, it also fails if an answer is not as expected.
func Run(ctx context.Context, opts Options) error {
	dashboard, err := apiclient.New(opts.BaseURL, apiclient.Credentials{Token: opts.Token})
	if err != nil {
		return err
	}
	p := printer{out: opts.Out, terminal: opts.Terminal}
	project, err := dashboard.GetProject(ctx, mainapi.GetProjectParams{ProjectID: opts.ProjectID})
	if err != nil {
		return apiclient.Explain(err)
	}
	p.step("Signed in as %s; project %q (%s)", opts.Email, project.Project.Name, opts.ProjectID)
	alone, err := bring(ctx, dashboard, opts, p)
	if err != nil {
		return err
	}
	return ask(ctx, opts, p, alone)
}

// bring uploads the examples that the project lacks and waits until they are indexed. alone
// says that the project holds no other documents. Other documents may fail, and may change the
// answers.
func bring(ctx context.Context, c *apiclient.Client, opts Options, p printer) (alone bool, err error) {
	documents, err := c.Documents(ctx, opts.ProjectID)
	if err != nil {
		return false, err
	}
	entries, err := fs.ReadDir(opts.Documents, ".")
	if err != nil {
		return false, err
	}
	present, example := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		example[e.Name()] = !e.IsDir()
	}
	alone = true
	for i := range documents {
		if documents[i].Status != mainapi.DocumentStatusPending {
			present[documents[i].Filename] = true
			alone = alone && example[documents[i].Filename]
		}
	}
	for _, e := range entries {
		if e.IsDir() || present[e.Name()] {
			continue
		}
		data, err := fs.ReadFile(opts.Documents, e.Name())
		if err != nil {
			return false, err
		}
		id, err := c.Upload(ctx, opts.ProjectID, e.Name(), data)
		if err != nil {
			return false, fmt.Errorf("%s: %w", e.Name(), err)
		}
		p.line("  uploaded  %-28s %6.1f KB  %s", e.Name(), float64(len(data))/1024, id)
	}
	began := opts.Clock.Now()
	documents, err = c.WaitFor(ctx, opts.ProjectID, apiclient.Wait{
		Documents: func(d *mainapi.Document) bool { return example[d.Filename] }, Vectors: opts.Vectors, Report: p.progress,
	})
	if err != nil {
		return false, err
	}
	p.endProgress()
	for i := range documents {
		if e, failed := documents[i].Error.Get(); failed {
			return false, fmt.Errorf("%s could not be ingested: %s", documents[i].Filename, e.Message)
		}
	}
	p.step("%d documents indexed (%s)", len(documents), opts.Clock.Now().Sub(began).Round(10*time.Millisecond))
	return alone, nil
}

// answer is an answer with or without a stream.
type answer struct {
	text                      string
	sources                   []mainapi.CitationSource
	conversationID, sessionID string
	answered                  bool
}

// ask asks the questions of the examples. If strict is set, it compares the answers with the
// expected ones.
func ask(ctx context.Context, opts Options, p printer, strict bool) error {
	if len(opts.Questions) == 0 {
		return nil
	}
	c, err := apiclient.New(opts.BaseURL, apiclient.Credentials{Key: opts.Key})
	if err != nil {
		return err
	}
	sessions := map[string]string{}
	for _, q := range opts.Questions {
		req := &mainapi.ChatRequest{Question: q.Question}
		if id := sessions[q.Session]; q.Session != "" && id != "" {
			req.SessionID = mainapi.NewOptString(id)
		}
		p.question(q, req.SessionID.Set)
		began := opts.Clock.Now()
		a, err := askOnce(ctx, c, q, req, p)
		if err != nil {
			return fmt.Errorf("%q: %w", q.Question, err)
		}
		p.sources(a, opts.Clock.Now().Sub(began))
		if q.Session != "" {
			sessions[q.Session] = a.sessionID
		}
		if err := q.check(a); err != nil && strict {
			return err
		}
	}
	return nil
}

func askOnce(ctx context.Context, c *apiclient.Client, q Question, req *mainapi.ChatRequest, p printer) (answer, error) {
	if q.Mode == "stream" {
		return stream(ctx, c, req, p)
	}
	res, err := c.Chat(ctx, req)
	if err != nil {
		return answer{}, apiclient.Explain(err)
	}
	if prompt, ok := res.GetChatLeadCapturePrompt(); ok {
		p.text(prompt.PromptMessage)
		p.endText()
		return answer{text: prompt.PromptMessage, sessionID: prompt.SessionID}, nil
	}
	got, _ := res.GetChatAnswer()
	p.text(got.Answer)
	p.endText()
	return answer{
		text: got.Answer, sources: got.Sources, conversationID: got.ConversationID, sessionID: got.SessionID,
		answered: got.Answered.Or(true),
	}, nil
}

func stream(ctx context.Context, c *apiclient.Client, req *mainapi.ChatRequest, p printer) (answer, error) {
	var a answer
	err := c.AskStream(ctx, req, func(e apiclient.Event) error {
		switch e.Type {
		case "chunk":
			a.text += e.Text
			p.text(e.Text)
		case "sources":
			a.sources, a.answered = e.Sources, len(e.Sources) > 0
		case "lead_capture_prompt":
			p.text(e.PromptMessage)
		case "done":
			a.conversationID, a.sessionID = e.ConversationID, e.SessionID
		case "error":
			return errors.New(e.Error)
		}
		return nil
	})
	p.endText()
	return a, err
}

// check compares an answer with the expected one.
func (q Question) check(a answer) error {
	switch {
	case !q.Answerable && a.answered:
		return fmt.Errorf("%q was answered, though the documents do not answer it", q.Question)
	case !q.Answerable:
		return nil
	case !a.answered || len(a.sources) == 0:
		return fmt.Errorf("%q was not answered from the documents", q.Question)
	case q.Document != "" && path.Base(a.sources[0].Location) != q.Document:
		return fmt.Errorf("%q was answered from %s, expected %s", q.Question, a.sources[0].Location, q.Document)
	case !strings.Contains(a.text, q.Contains):
		return fmt.Errorf("the answer to %q lacks %q", q.Question, q.Contains)
	}
	return nil
}
