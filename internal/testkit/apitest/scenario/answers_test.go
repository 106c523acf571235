package scenario_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
)

// ways returns calls that ask the question in each way that answers without a browser.
func ways(t *testing.T, shop *apitest.Shop, question string) map[string]apitest.Call {
	t.Helper()
	key := shop.Company.Key(t, shop.Project.ProjectID, "integration", "live")
	body, project := object{"question": question}, projectPath(shop.Project.ProjectID)
	return map[string]apitest.Call{
		"chat":      {Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: body},
		"stream":    {Method: http.MethodPost, Path: "/v1/chat/stream", Key: key, Body: body},
		"dashboard": {Method: http.MethodPost, Path: project + "/chat", As: shop.Company.Owner, Body: body},
		"openai": {Method: http.MethodPost, Path: "/v1/openai/chat/completions", Token: key, Body: object{
			"model": "any", "messages": []object{{"role": "user", "content": question}},
		}},
		"rag":        {Method: http.MethodPost, Path: "/v1/rag/chat", Token: apitest.RagKey, Body: object{"question": question, "projectId": shop.Project.ProjectID}},
		"rag stream": {Method: http.MethodPost, Path: "/v1/rag/chat/stream", Token: apitest.RagKey, Body: object{"question": question, "projectId": shop.Project.ProjectID}},
		"test run":   {Method: http.MethodPost, Path: project + "/test-runs", As: shop.Company.Owner, Body: object{"prompts": []object{{"prompt": question}}}},
	}
}

func TestAnswerThreshold(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	set := func(t *testing.T, threshold any) *apitest.Answer {
		t.Helper()
		return shop.Do(t, apitest.Call{Method: http.MethodPatch, Path: projectPath(shop.Project.ProjectID), As: shop.Company.Owner, Body: object{
			"settings": object{"prompt": object{"answerThreshold": threshold}},
		}})
	}
	for _, step := range []struct {
		threshold any
		question  string
		answered  bool
	}{
		{nil, "How long does the warranty last?", true},
		{1.0, "How long does the warranty last?", false},
		{0.0, "Which emperors ruled over Iceland?", true},
	} {
		a := set(t, step.threshold).Require(t, http.StatusOK)
		require.Equal(t, step.threshold, a.Get(t, "project.settings.prompt.answerThreshold"))
		for name, call := range ways(t, shop, step.question) {
			body := string(shop.Do(t, call).Require(t, http.StatusOK).Body)
			refused := strings.Contains(body, shop.Project.Settings.Prompt.NoAnswerMessage) || strings.Contains(body, shop.Project.Settings.LeadCapture.PromptMessage)
			require.Equal(t, step.answered, !refused, "%s, %v: %s", name, step, body)
		}
	}
	for _, wrong := range []any{-0.1, 1.1, "high"} {
		set(t, wrong).RequireError(t, http.StatusBadRequest, "validation_error")
	}
}

func TestCourtesy(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	rows := func() (n int) {
		t.Helper()
		require.NoError(t, shop.Store.Pool().QueryRow(shop.Company.Context(t),
			"select (select count(*) from conversations) + (select count(*) from messages) + (select coalesce(sum(messages), 0) from usage_shards)").Scan(&n))
		return n
	}
	before := rows()
	for message, want := range map[string]string{"Hi!": "Hello!", "thanks a lot": "You are welcome!", "Tschüss": "Auf Wiedersehen!"} {
		for name, call := range ways(t, shop, message) {
			if name == "test run" {
				continue // it stores the run
			}
			a := shop.Do(t, call).Require(t, http.StatusOK)
			require.Contains(t, string(a.Body), want, "%s %s", name, message)
			require.NotContains(t, string(a.Body), `"answered":false`, name)
		}
	}
	require.Equal(t, before, rows(), "nothing is stored or counted")

	key := shop.Company.Key(t, shop.Project.ProjectID, "integration", "live")
	chat := func(body object) *apitest.Answer {
		t.Helper()
		return shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: body}).Require(t, http.StatusOK)
	}
	first := chat(object{"question": "Thanks, and how long does the warranty last?"})
	require.Contains(t, first.Text(t, "answer"), "24 months")
	thanked := chat(object{"question": "Thank you!", "sessionId": first.Text(t, "sessionId")})
	require.Equal(t, first.Text(t, "conversationId"), thanked.Text(t, "conversationId"))
	require.Equal(t, "none", thanked.Text(t, "confidence.level"))
}

func TestCourtesy_ofASuspendedCompany(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	key := shop.Company.Key(t, shop.Project.ProjectID, "integration", "live")
	_, err := shop.Store.Pool().Exec(shop.Company.Context(t), "update companies set status = 'suspended' where company_id = $1", shop.Company.ID)
	require.NoError(t, err)
	a := shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": "hi"}})
	a.RequireError(t, http.StatusForbidden, "company_suspended")
}

func TestMisspeltQuestion(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	for name, call := range ways(t, shop, "How long does the warrenty last?") {
		a := shop.Do(t, call).Require(t, http.StatusOK)
		require.Contains(t, string(a.Body), "24 months", name)
	}
}

func TestFollowUp(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	ten := factory.Tenant{CompanyID: shop.Company.ID, Project: shop.Project}
	factory.Document(t, shop.Store, ten, shop.Project.ProjectID, "parts.txt",
		"The warranty on the saddle is ten years. The warranty on the chain is six weeks.", "The colours of the saddle are: mint; ochre; violet. Ochre costs 30 euros. Mint costs 12 euros.")
	factory.Reindex(t, shop.Store, ten, shop.Project.ProjectID, factory.Epoch())
	key := shop.Company.Key(t, shop.Project.ProjectID, "integration", "live")
	for _, c := range []struct{ question, answer, follow, want string }{
		{"How long is the warranty on the saddle?", "Ten years.", "And the chain?", "six weeks"},
		{"How long is the warranty on the saddle?", "Ten years.", "And on the chain?", "six weeks"},
		{"Which colours does the saddle have?", "The colours are: mint; ochre; violet.", "How much does the second one cost?", "30 euros"},
	} {
		first := shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": c.question}}).Require(t, http.StatusOK)
		if !strings.Contains(c.follow, "second") { // the first answer of the product may name the colours in another way
			a := shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: object{"question": c.follow, "sessionId": first.Text(t, "sessionId")}})
			require.Contains(t, a.Require(t, http.StatusOK).Text(t, "answer"), c.want)
		}
		turns := []object{{"role": "user", "content": c.question}, {"role": "assistant", "content": c.answer}}
		a := shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/rag/chat", Token: apitest.RagKey, Body: object{
			"projectId": shop.Project.ProjectID, "question": c.follow, "history": turns,
		}}).Require(t, http.StatusOK)
		require.Contains(t, a.Text(t, "answer"), c.want)
		a = shop.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/openai/chat/completions", Token: key, Body: object{
			"model": "any", "messages": append(turns, object{"role": "user", "content": c.follow}),
		}}).Require(t, http.StatusOK)
		require.Contains(t, string(a.Body), c.want)
	}
}

func TestQuestionInAnotherLanguage(t *testing.T) {
	t.Parallel()
	shop := apitest.NewShop(t)
	const line = "Die Dokumente sind in einer anderen Sprache (English)."
	for _, question := range []string{"Was steht in den Dokumenten über die delivery nach Iceland?", "Wer gewann die Wahl und warum ist das so?"} {
		for name, call := range ways(t, shop, question) {
			if name == "chat" || name == "stream" {
				continue // a refusal prompts for contact details there
			}
			require.Contains(t, string(shop.Do(t, call).Require(t, http.StatusOK).Body), line, "%s %s", name, question)
		}
	}
	for name, call := range ways(t, shop, "Was delivery to Iceland fast?") {
		require.NotContains(t, string(shop.Do(t, call).Require(t, http.StatusOK).Body), "Sprache", name)
	}
}
