package handlers

import (
	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/conversations"
)

func toAPIConversation(c *dbsqlc.Conversation) mainapi.Conversation {
	out := mainapi.Conversation{
		ConversationID: c.ConversationID, ProjectID: c.ProjectID, Channel: mainapi.ConversationChannel(c.Channel),
		Source: mainapi.ConversationSource(c.Source), VisitorID: mainapi.NewNilString(c.VisitorID), Preview: c.Preview,
		MessageCount: int(c.MessageCount), ReviewStatus: mainapi.ConversationReviewStatus(c.ReviewStatus),
		Rating: mainapi.NilConversationRating{Null: true}, Notes: mainapi.NilString{Null: c.Notes == "", Value: c.Notes},
		EscalatedAt: nilTimestamp(c.EscalatedAt), CreatedAt: timestamp(c.CreatedAt), UpdatedAt: timestamp(c.UpdatedAt),
	}
	if c.Rating != nil {
		out.Rating = mainapi.NewNilConversationRating(mainapi.ConversationRating(*c.Rating))
	}
	return out
}

func toAPIConversationPage(t *conversations.Thread) *mainapi.ConversationPage {
	page := &mainapi.ConversationPage{
		Conversation: toAPIConversation(&t.Conversation), Messages: make([]mainapi.Message, 0, len(t.Messages)), NextCursor: nilString(t.Next),
	}
	for i := range t.Messages {
		page.Messages = append(page.Messages, toAPIMessage(&t.Messages[i]))
	}
	return page
}

func toAPIMessage(m *dbsqlc.Message) mainapi.Message {
	out := mainapi.Message{
		MessageID: m.MessageID, ConversationID: m.ConversationID, Role: mainapi.MessageRole(m.Role), Content: m.Content,
		Sources: toAPISources(m.Sources), SuggestedFollowUps: m.SuggestedFollowUps, Rating: mainapi.NilMessageRating{Null: true},
		RatedAt: nilTimestamp(m.RatedAt), CreatedAt: timestamp(m.CreatedAt),
	}
	if m.Kind != nil {
		out.Type = mainapi.NewOptMessageType(mainapi.MessageType(*m.Kind))
	}
	if m.Rating != nil {
		out.Rating = mainapi.NewNilMessageRating(mainapi.MessageRating(*m.Rating))
	}
	if m.ConfidenceLevel != nil && m.ConfidenceScore != nil {
		out.Confidence = mainapi.NewOptConfidence(toAPIConfidence(*m.ConfidenceLevel, float64(*m.ConfidenceScore)))
	}
	return out
}
