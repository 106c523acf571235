package handlers

import (
	"docqa/gen/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
)

// toAPIChatAnswer shows an answer. The fixture of a test key has the required members alone.
func toAPIChatAnswer(r *chat.Reply, caller authn.Principal) mainapi.ChatAnswer {
	a := mainapi.ChatAnswer{Answer: r.Text, SessionID: r.SessionID, ConversationID: r.ConversationID, Sources: toAPISources(r.Sources)}
	if r.Kind == chat.KindFixture {
		return a
	}
	a.Type = mainapi.NewOptChatAnswerType(mainapi.ChatAnswerTypeAnswer)
	a.VisitorID = mainapi.NewOptString(r.VisitorID)
	a.AssistantMessageID = mainapi.NewOptString(r.AnswerID)
	a.SuggestedFollowUps = r.FollowUps
	a.Answered = mainapi.NewOptBool(r.Answered())
	a.Confidence = mainapi.NewOptConfidence(toAPIConfidence(r.Level, r.Confidence))
	if usage, ok := toAPIUsage(r, caller); ok {
		a.Usage = mainapi.NewOptUsage(usage)
	}
	return a
}

func toAPILeadPrompt(r *chat.Reply) mainapi.ChatLeadCapturePrompt {
	return mainapi.ChatLeadCapturePrompt{
		Type: mainapi.ChatLeadCapturePromptTypeLeadCapturePrompt, PromptMessage: r.Text, Fields: r.Fields,
		ConversationID: r.ConversationID, VisitorID: r.VisitorID, SessionID: r.SessionID,
	}
}

// toAPIUsage shows the tokens to integration keys alone.
func toAPIUsage(r *chat.Reply, caller authn.Principal) (mainapi.Usage, bool) {
	return mainapi.Usage{PromptTokens: r.Usage.PromptTokens, CompletionTokens: r.Usage.CompletionTokens}, caller.Kind == authn.KindKey
}

func toAPIConfidence(level string, score float64) mainapi.Confidence {
	return mainapi.Confidence{Level: mainapi.ConfidenceLevel(level), Score: score}
}

func toAPISources(list column.Sources) []mainapi.CitationSource {
	out := make([]mainapi.CitationSource, 0, len(list))
	for i := range list {
		out = append(out, toAPISource(&list[i]))
	}
	return out
}

func toAPISource(s *column.Source) mainapi.CitationSource {
	source := mainapi.CitationSource{
		Index: s.Index, DocumentID: s.DocumentID, DocumentTitle: s.DocumentTitle, Excerpt: s.Excerpt, Location: s.Location,
		Score: s.Score, SourceURL: nilString(s.SourceURL), Spans: make([]mainapi.CitationSpan, 0, len(s.Spans)),
		ExcerptSpan: mainapi.NewOptCitationSpan(mainapi.CitationSpan(s.ExcerptSpan)), Bbox: mainapi.NilBoundingBox{Null: true},
	}
	if s.Deleted {
		source.Deleted = mainapi.NewOptBool(true)
	}
	if s.PageNumber != nil {
		source.PageNumber = mainapi.NewOptInt(*s.PageNumber)
	}
	for _, span := range s.Spans {
		source.Spans = append(source.Spans, mainapi.CitationSpan(span))
	}
	return source
}
