package chat_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/embedding"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/testkit/modelhost"
	"docqa/jobs/jobargs"
)

// TestService_Ask_withAnEmbeddingServerThatHangs is answered by words, and only the first
// question waits to learn that it must be.
func TestService_Ask_withAnEmbeddingServerThatHangs(t *testing.T) {
	t.Parallel()
	h := setup(t)
	server := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	setting, err := models.ParseEmbedding("openai:" + server.URL + "#m")
	require.NoError(t, err)
	e, err := embed.Open(t.Context(), setting, embed.Options{Client: http.DefaultClient, Clock: h.clock})
	require.NoError(t, err)
	all := search.NewModels(e)
	require.NoError(t, all.Register(t.Context(), h.store))
	require.NoError(t, embedding.New(embedding.Deps{Store: h.store, Models: all, Clock: h.clock}).Reindex(h.Context(t.Context()), jobargs.ReindexProject{CompanyID: h.CompanyID, ProjectID: h.Project.ProjectID, Model: ""}, jobargs.Attempt{}))
	service := search.New(search.Deps{Store: h.store, Clock: h.clock, Vectors: all})
	h.chat = chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: service, Writer: chat.Hosted(scripted{})})
	ask := func(question string) (mode search.Mode, requests int) {
		t.Helper()
		before := len(server.Requests())
		reply := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: question})
		require.NotEmpty(t, reply.Sources, question)
		requests = len(server.Requests()) - before
		found, err := service.Search(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, search.Query{Text: question, TopK: 3})
		require.NoError(t, err)
		return found.Mode, requests
	}
	mode, requests := ask("How long is the warranty?")
	require.Equal(t, search.Hybrid, mode)
	require.Equal(t, 1, requests)

	server.Become(modelhost.Script{End: modelhost.Hang})
	mode, requests = ask("How long does delivery to Iceland take?")
	require.Equal(t, search.Keyword, mode)
	require.Equal(t, 1, requests, "one attempt")
	mode, requests = ask("Who pays the postage of a return?")
	require.Equal(t, search.Keyword, mode)
	require.Zero(t, requests, "the server is left alone")

	server.Become(modelhost.Script{})
	h.clock.Advance(time.Minute)
	mode, requests = ask("When may goods be returned?")
	require.Equal(t, search.Hybrid, mode, "it has recovered")
	require.Equal(t, 1, requests)
}
