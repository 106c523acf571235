package mainapi

import (
	oas "docqa/gen/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
)

// toAPIChatAnswer converts an answer. The fixed answer of a test key has only the required
// members.
func toAPIChatAnswer(r *chat.Reply, caller authn.Principal) oas.ChatAnswer {
	a := oas.ChatAnswer{Answer: r.Text, SessionID: r.SessionID, ConversationID: r.ConversationID, Sources: toAPISources(r.Sources)}
	if r.Kind == chat.KindFixture {
		return a
	}
	a.Type = oas.NewOptChatAnswerType(oas.ChatAnswerTypeAnswer)
	a.VisitorID = oas.NewOptString(r.VisitorID)
	a.AssistantMessageID = oas.NewOptString(r.AnswerID)
	a.SuggestedFollowUps = r.FollowUps
	a.Answered = oas.NewOptBool(r.Answered())
	a.Confidence = oas.NewOptConfidence(toAPIConfidence(r.Level, r.Confidence))
	if usage, ok := toAPIUsage(r, caller); ok {
		a.Usage = oas.NewOptUsage(usage)
	}
	return a
}

func toAPILeadPrompt(r *chat.Reply) oas.ChatLeadCapturePrompt {
	return oas.ChatLeadCapturePrompt{
		Type: oas.ChatLeadCapturePromptTypeLeadCapturePrompt, PromptMessage: r.Text, Fields: r.Fields,
		ConversationID: r.ConversationID, VisitorID: r.VisitorID, SessionID: r.SessionID,
	}
}

// toAPIUsage returns the tokens used. Only integration keys get them: ok is false for other
// callers.
func toAPIUsage(r *chat.Reply, caller authn.Principal) (usage oas.Usage, ok bool) {
	return oas.Usage{PromptTokens: r.Usage.PromptTokens, CompletionTokens: r.Usage.CompletionTokens}, caller.Kind == authn.KindKey
}

func toAPIConfidence(level string, score float64) oas.Confidence {
	return oas.Confidence{Level: oas.ConfidenceLevel(level), Score: score}
}

func toAPISources(list column.Sources) []oas.CitationSource {
	out := make([]oas.CitationSource, 0, len(list))
	for i := range list {
		out = append(out, toAPISource(&list[i]))
	}
	return out
}

func toAPISource(s *column.Source) oas.CitationSource {
	source := oas.CitationSource{
		Index: s.Index, DocumentID: s.DocumentID, DocumentTitle: s.DocumentTitle, Excerpt: s.Excerpt, Location: s.Location,
		Score: s.Score, SourceURL: nilString(s.SourceURL), Spans: toAPISpans(s.Spans), Quotes: toAPISpans(s.Quotes),
		ExcerptSpan: oas.NewOptCitationSpan(oas.CitationSpan(s.ExcerptSpan)), Bbox: oas.NilBoundingBox{Null: true},
	}
	if s.Deleted {
		source.Deleted = oas.NewOptBool(true)
	}
	if s.PageNumber != nil {
		source.PageNumber = oas.NewOptInt(*s.PageNumber)
	}
	if len(s.Quotes) > 0 {
		source.Quote = oas.NewOptCitationSpan(source.Quotes[0])
	}
	return source
}

func toAPISpans(list []column.Span) []oas.CitationSpan {
	out := make([]oas.CitationSpan, 0, len(list))
	for _, span := range list {
		out = append(out, oas.CitationSpan(span))
	}
	return out
}
