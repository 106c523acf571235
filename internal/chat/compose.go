package chat

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"docqa/internal/engine/remark"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// compose has the model write the answer. If the model finds none, the reply is the
// project's no-answer text or its prompt for contact details. emit, if set, gets the text in
// fragments as they come.
func (s *Service) compose(ctx context.Context, x *exchange, emit func(fragment string)) (Reply, error) {
	task := Task{
		Request: x.llmRequest(), Asked: x.found.Text, Words: x.found.Question, Found: x.found.Passages,
		Threshold: x.project.Settings.Prompt.AnswerThreshold,
	}
	suggested := suggest(&task)
	written, err := s.write(ctx, task, emit)
	if err != nil {
		return Reply{}, fmt.Errorf("write answer: %w", err)
	}
	reply := Reply{
		ExchangeIDs: x.thread.ExchangeIDs, Sources: column.Sources{}, FollowUps: []string{}, Level: "none",
		Confidence: fourDigits(written.Confidence), Usage: written.Usage, Stop: written.Stop,
	}
	remarked := x.otherLanguage()
	switch {
	case written.Answered:
		reply.Kind, reply.Text, reply.Level = KindAnswer, written.Text, written.Level
		reply.Sources = sources(&written, &x.names, x.found.Passages)
		reply.FollowUps = append(reply.FollowUps, suggested(written.Citations)...)
		x.thread.documents = mentionedDocuments(&reply, x.found.Passages)
		if remarked != "" && x.project.ChatModelArn == models.Extractive { // a hosted model answers in the language of the question
			reply.Text += remarked
			if emit != nil {
				emit(remarked)
			}
		}
	case x.asksForContact():
		reply.Kind, reply.Text = KindLeadPrompt, x.project.Settings.LeadCapture.PromptMessage
		reply.Fields = slices.Clone(x.project.Settings.LeadCapture.Fields)
	default:
		reply.Kind, reply.Text = KindNoAnswer, x.project.Settings.Prompt.NoAnswerMessage+remarked
	}
	return reply, nil
}

// otherLanguage says, as a paragraph in the language of the answer, that the documents are in
// another language than the question. It is empty if they are not.
func (x *exchange) otherLanguage() string {
	if x.found.Question == nil {
		return ""
	}
	asked, foreign := x.found.Question.Foreign(x.request.Question)
	if !foreign {
		return ""
	}
	var documents []string
	for _, l := range x.found.Question.Languages() {
		documents = append(documents, l.Code())
	}
	code := cmp.Or(asked.Code(), remark.ScriptCode(x.request.Question))
	tag, _, _ := strings.Cut(strings.ToLower(x.project.Settings.Prompt.AnswerLanguage), "-")
	line := cmp.Or(remark.OtherLanguage(tag, documents), remark.OtherLanguage(code, documents))
	if line == "" {
		return ""
	}
	return "\n\n" + line
}

// write has the model write, and refuses an answer whose confidence is below the project's
// threshold. With a threshold, emit gets the text when the confidence is known: what was sent
// cannot be taken back.
func (s *Service) write(ctx context.Context, task Task, emit func(fragment string)) (llm.Answer, error) {
	threshold := task.Threshold
	if threshold == nil {
		return s.writer.Write(ctx, task, emit)
	}
	var held []string
	hold := emit
	if emit != nil {
		hold = func(fragment string) { held = append(held, fragment) }
	}
	written, err := s.writer.Write(ctx, task, hold)
	if err != nil {
		return written, err
	}
	written.Answered = written.Answered && written.Confidence >= *threshold
	if written.Answered && emit != nil {
		for _, fragment := range held {
			emit(fragment)
		}
	}
	return written, nil
}

// mentionedDocuments lists the documents whose content the reply shows: those of its
// sources and, if there are follow-up questions, those of all passages, because a follow-up
// question may be the heading of any of them.
func mentionedDocuments(reply *Reply, passages []search.Passage) []string {
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

// fourDigits rounds a share to four digits, so that the stored number equals the answered one.
func fourDigits(share float64) float64 { return math.Round(share*1e4) / 1e4 }

// sendRest sends to sink what follows the fragments.
func sendRest(reply *Reply, sink Sink) {
	if reply.Kind == KindLeadPrompt {
		return
	}
	if reply.Kind == KindNoAnswer {
		sink.Chunk(reply.Text)
	}
	sink.Sources(reply.Sources)
}

// testKeyText is the answer to every question that is asked with a test key.
const testKeyText = "This is a test answer. Use a live key to ask your documents."

// testKeyReply returns the reply to a test key. Its ids name nothing, and no document is read.
//
// Source: main API section 4.3 (third shape).
func testKeyReply(sink Sink) Reply {
	reply := Reply{
		ExchangeIDs: ExchangeIDs{ConversationID: ids.New(ids.Conversation), SessionID: ids.New(ids.Session)},
		Kind:        KindFixture, Text: testKeyText, Sources: column.Sources{}, FollowUps: []string{},
	}
	if sink != nil {
		sink.Chunk(reply.Text)
		sink.Sources(reply.Sources)
	}
	return reply
}
