package chat

import (
	"context"
	"fmt"
	"math"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// compose has the model write the answer, or says in the project's words that there
// is none. emit, where it is set, gets the answer as it comes, before it is renamed.
func (s *Service) compose(ctx context.Context, project *dbsqlc.Project, caller authn.Principal, t *thread, question string,
	found *search.Result, names *numbering, emit func(fragment string),
) (Reply, error) {
	task := Task{Request: request(project, t, question, found.Passages), Words: found.Question, Found: found.Passages}
	written, err := s.writer.Write(ctx, task, emit)
	if err != nil {
		return Reply{}, fmt.Errorf("write answer: %w", err)
	}
	reply := Reply{
		Exchange: t.Exchange, Sources: column.Sources{}, FollowUps: []string{}, Level: "none", Confidence: digits(written.Confidence),
		Usage: written.Usage, Stop: written.Stop,
	}
	switch {
	case written.Answered:
		reply.Kind, reply.Text = KindAnswer, names.rename(written.Text)
		reply.Level = written.Level
		reply.Sources = sources(reply.Text, names.cited())
		reply.FollowUps = append(reply.FollowUps, written.FollowUps...)
		t.documents = named(&reply, found.Passages)
	case !t.plain && asksForContact(project, caller):
		reply.Kind, reply.Text = KindLeadPrompt, project.Settings.LeadCapture.PromptMessage
		reply.Fields = slices.Clone(project.Settings.LeadCapture.Fields)
	default:
		reply.Kind, reply.Text = KindNoAnswer, project.Settings.Prompt.NoAnswerMessage
	}
	return reply, nil
}

// named lists the documents that a reply tells something of: its sources', and those of
// all passages where there are follow-up questions, which may be headings of any of them.
func named(reply *Reply, passages []search.Passage) []string {
	list := reply.Sources.Documents()
	if len(reply.FollowUps) == 0 {
		return list
	}
	for i := range passages {
		if id := passages[i].DocumentID; !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

// digits keeps four digits of a share: what is stored reads the same as what was answered.
func digits(share float64) float64 { return math.Round(share*1e4) / 1e4 }

// finish tells sink what comes after the fragments.
func finish(reply *Reply, sink Sink) {
	if reply.Kind == KindLeadPrompt {
		return
	}
	if reply.Kind == KindNoAnswer {
		sink.Chunk(reply.Text)
	}
	sink.Sources(reply.Sources)
}

// asksForContact tells whether smart lead capture takes over from the no-answer text.
// The dashboard's own people are not leads.
func asksForContact(project *dbsqlc.Project, caller authn.Principal) bool {
	return project.LeadCaptureEnabled && project.Settings.LeadCapture.Mode == "smart" && caller.Kind != authn.KindUser
}

// request is what the model is given.
func request(project *dbsqlc.Project, t *thread, question string, passages []search.Passage) llm.Request {
	prompt := &project.Settings.Prompt
	r := llm.Request{
		Model: project.ChatModelArn, Question: question, History: t.earlier, System: prompt.SystemPrompt, Tone: prompt.Tone,
		Language: prompt.AnswerLanguage, MaxTokens: prompt.MaxTokens, Temperature: prompt.Temperature, Strict: prompt.StrictGrounding,
		ContextTokens: project.Settings.Retrieval.MaxContextTokens,
	}
	if t.most > 0 {
		r.MaxTokens = min(r.MaxTokens, t.most)
	}
	for i := range passages {
		p := &passages[i]
		r.Passages = append(r.Passages, llm.Passage{
			DocumentID: p.DocumentID, Title: p.Title, HeadingPath: p.HeadingPath, Ordinal: int(p.Ordinal), Text: p.Body, Score: p.Score,
		})
	}
	return r
}

// fixtureText is what every question with a test key is answered with.
const fixtureText = "This is a test answer. Use a live key to ask your documents."

// fixture is the reply to a test key: ids that name nothing, and no document touched.
//
// Source: main API section 4.3 (third shape).
func fixture(sink Sink) Reply {
	reply := Reply{
		Exchange: Exchange{ConversationID: ids.New(ids.Conversation), SessionID: ids.New(ids.Session)},
		Kind:     KindFixture, Text: fixtureText, Sources: column.Sources{}, FollowUps: []string{},
	}
	if sink != nil {
		sink.Chunk(reply.Text)
		sink.Sources(reply.Sources)
	}
	return reply
}
