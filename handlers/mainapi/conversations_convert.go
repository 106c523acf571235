package mainapi

import (
	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/conversations"
)

func toAPIConversation(c *dbsqlc.Conversation) oas.Conversation {
	out := oas.Conversation{
		ConversationID: c.ConversationID, ProjectID: c.ProjectID, Channel: oas.ConversationChannel(c.Channel),
		Source: oas.ConversationSource(c.Source), VisitorID: oas.NewNilString(c.VisitorID), Preview: c.Preview,
		MessageCount: int(c.MessageCount), ReviewStatus: oas.ConversationReviewStatus(c.ReviewStatus),
		Rating: oas.NilConversationRating{Null: true}, Notes: oas.NilString{Null: c.Notes == "", Value: c.Notes},
		EscalatedAt: nilTimestamp(c.EscalatedAt), CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
	}
	if c.Rating != nil {
		out.Rating = oas.NewNilConversationRating(oas.ConversationRating(*c.Rating))
	}
	return out
}

func toAPIConversationPage(t *conversations.Thread) *oas.ConversationPage {
	page := &oas.ConversationPage{
		Conversation: toAPIConversation(&t.Conversation), Messages: make([]oas.Message, 0, len(t.Messages)), NextCursor: nilString(t.Next),
	}
	for i := range t.Messages {
		page.Messages = append(page.Messages, toAPIMessage(&t.Messages[i]))
	}
	return page
}

func toAPIMessage(m *dbsqlc.Message) oas.Message {
	out := oas.Message{
		MessageID: m.MessageID, ConversationID: m.ConversationID, Role: oas.MessageRole(m.Role), Content: m.Content,
		Sources: toAPISources(m.Sources), SuggestedFollowUps: m.SuggestedFollowUps, Rating: oas.NilMessageRating{Null: true},
		RatedAt: nilTimestamp(m.RatedAt), CreatedAt: timestamp(m.CreatedAt),
	}
	if m.Kind != nil {
		out.Type = oas.NewOptMessageType(oas.MessageType(*m.Kind))
	}
	if m.Rating != nil {
		out.Rating = oas.NewNilMessageRating(oas.MessageRating(*m.Rating))
	}
	if m.ConfidenceLevel != nil && m.ConfidenceScore != nil {
		out.Confidence = oas.NewOptConfidence(toAPIConfidence(*m.ConfidenceLevel, float64(*m.ConfidenceScore)))
	}
	return out
}
