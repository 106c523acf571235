package chat

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// exchange is a question on its way to its answer. Ask fills it in step by step: the first
// group before anything is read, thread by begin, found by the search.
type exchange struct {
	companyID string
	project   *dbsqlc.Project
	caller    authn.Principal
	request   Request // Question is trimmed and checked
	askedAt   time.Time

	thread thread
	found  search.Result
	names  numbering // numbers the passages that the answer cites
}

// llmRequest returns what the model is given.
func (x *exchange) llmRequest() llm.Request {
	prompt := &x.project.Settings.Prompt
	r := llm.Request{
		Model: x.project.ChatModelArn, Question: x.request.Question, History: x.thread.earlier, System: prompt.SystemPrompt, Tone: prompt.Tone,
		Language: prompt.AnswerLanguage, MaxTokens: prompt.MaxTokens, Temperature: prompt.Temperature, Strict: prompt.StrictGrounding,
		ContextTokens: x.project.Settings.Retrieval.MaxContextTokens, Number: x.names.number,
	}
	if x.request.MaxTokens > 0 {
		r.MaxTokens = min(r.MaxTokens, x.request.MaxTokens)
	}
	for i := range x.found.Passages {
		p := &x.found.Passages[i]
		r.Passages = append(r.Passages, llm.Passage{
			DocumentID: p.DocumentID, Title: p.Title, HeadingPath: p.HeadingPath, Ordinal: int(p.Ordinal), Context: p.Context, Text: p.Body, Marks: p.Marks,
			Score: p.Score,
		})
	}
	return r
}

// asksForContact tells whether a question without an answer gets the prompt for contact
// details in place of the project's no-answer text. Signed-in users are not leads.
func (x *exchange) asksForContact() bool {
	return !x.request.Plain && x.project.LeadCaptureEnabled && x.project.Settings.LeadCapture.Mode == "smart" && x.caller.Kind != authn.KindUser
}

// cited returns the passages of the reply's sources.
func (x *exchange) cited(reply *Reply) []search.Passage {
	var out []search.Passage
	for i := range reply.Sources {
		out = append(out, x.found.Passages[x.names.passage(reply.Sources[i].Index)-1])
	}
	return out
}
