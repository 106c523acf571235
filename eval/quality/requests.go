package quality

import (
	"context"
	"errors"
	"fmt"

	"docqa/eval/dataset"
	"docqa/eval/score"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/apiclient"
)

const (
	topK             = 10
	maxQueryRunes    = 8000 // the API refuses longer queries
	maxQuestionRunes = 1000 // a project refuses longer questions by default
)

// query is the text that is searched for.
func query(q *dataset.Question) string { return truncate(q.Query(), maxQueryRunes) }

func truncate(text string, maxRunes int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxRunes)])
}

// search returns the passages that the service finds for q, best first, and the mode of the search.
func (p *project) search(ctx context.Context, q *dataset.Question, rerank bool) ([]score.Passage, string, error) {
	req := &ragapi.RagSearchRequest{ProjectID: p.id, Query: query(q), TopK: ragapi.NewOptInt(topK)}
	if rerank {
		req.Rerank = ragapi.NewOptBool(true)
	}
	res, err := p.rag.RagSearch(ctx, req)
	if err != nil {
		return nil, "", fmt.Errorf("search for question %s: %w", q.ID, err)
	}
	found := make([]score.Passage, len(res.Results))
	for i := range res.Results {
		one := &res.Results[i]
		page, _ := one.PageNumber.Get()
		found[i] = score.Passage{File: one.Location, Page: page, Text: one.Excerpt, Score: one.Score}
	}
	return found, string(res.Mode), nil
}

// reply is an answer of the chat.
type reply struct {
	text       string
	answered   bool
	confidence float64
	sources    []mainapi.CitationSource
}

// ask sends the earlier questions of q and then q itself in one session, and returns the answer to q.
func (p *project) ask(ctx context.Context, q *dataset.Question) (*reply, error) {
	var session mainapi.OptString
	var last *reply
	for _, turn := range append(q.History[:len(q.History):len(q.History)], q.Text) {
		res, err := p.chat.Chat(ctx, &mainapi.ChatRequest{Question: truncate(turn, maxQuestionRunes), SessionID: session})
		if err != nil {
			return nil, fmt.Errorf("ask question %s: %w", q.ID, apiclient.Explain(err))
		}
		if prompt, ok := res.GetChatLeadCapturePrompt(); ok {
			session, last = mainapi.NewOptString(prompt.SessionID), &reply{}
			continue
		}
		answer, ok := res.GetChatAnswer()
		if !ok {
			return nil, errors.New("the response of the chat is neither an answer nor a prompt for a contact")
		}
		session = mainapi.NewOptString(answer.SessionID)
		confidence, _ := answer.Confidence.Get()
		last = &reply{text: answer.Answer, answered: answer.Answered.Or(true), confidence: confidence.Score, sources: answer.Sources}
	}
	return last, nil
}
