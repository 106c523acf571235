package embed_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/testkit/modelhost"
)

func openBedrock(t *testing.T, h *modelhost.Host, model, key string) (embed.Embedder, error) {
	t.Helper()
	return embed.Open(t.Context(), models.Embedding{Kind: models.BedrockEmbedding, Region: "eu-central-1", Model: model}, embed.Options{
		BedrockURL: h.URL, Client: http.DefaultClient, APIKey: key, Clock: clock.System(),
	})
}

func TestBedrock_titan(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsTitan)
	e, err := openBedrock(t, h, "amazon.titan-embed-text-v2:0", "key")
	require.NoError(t, err)
	require.Equal(t, "amazon.titan-embed-text-v2:0", e.Model())
	require.Equal(t, modelhost.Dimensions, e.Dimensions())
	vectors, err := e.Embed(t.Context(), []string{"a warranty of two years", "two years of warranty", "", strings.Repeat("é", 60_000)})
	require.NoError(t, err)
	require.Len(t, vectors, 4)
	require.Greater(t, dot(vectors[0], vectors[1]), 0.8)
	require.InDelta(t, 1, dot(vectors[3], vectors[3]), 1e-5)
	requests := h.Requests()
	require.Equal(t, "/model/amazon.titan-embed-text-v2%3A0/invoke", requests[1].Path)
	require.Len(t, []rune(requests[4].Body["inputText"].(string)), 50_000, "what the service refuses is cut")
}

func TestBedrock_cohere(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsCohere)
	e, err := openBedrock(t, h, "cohere.embed-multilingual-v3", "key")
	require.NoError(t, err)
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = strings.Repeat("word ", i)
	}
	vectors, err := e.Embed(t.Context(), texts)
	require.NoError(t, err)
	require.Len(t, vectors, 100)
	_, err = embed.NewCache(e, 1).QueryAll(t.Context(), []string{"how long?"})
	require.NoError(t, err)
	requests := h.Requests()
	require.Len(t, requests, 4, "the probe, 96 passages, 4 passages, a question")
	require.Len(t, requests[1].Body["texts"], 96)
	require.Equal(t, "search_document", requests[2].Body["input_type"])
	require.Equal(t, "search_query", requests[3].Body["input_type"])
}

func TestBedrock_signs(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsTitan)
	_, err := openBedrock(t, h, "amazon.titan-embed-text-v2:0", "")
	require.NoError(t, err)
	require.Contains(t, h.Requests()[0].Header.Get("Authorization"), "AKIDEXAMPLE/")
	require.Contains(t, h.Requests()[0].Header.Get("Authorization"), "/eu-central-1/bedrock/aws4_request")
}

func TestBedrock_failures(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsTitan)
	e, err := openBedrock(t, h, "amazon.titan-embed-text-v2:0", "key")
	require.NoError(t, err)

	h.Become(modelhost.Script{Refusals: []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}})
	_, err = e.Embed(t.Context(), []string{"again"})
	require.NoError(t, err, "what is busy is asked again")

	h.Become(modelhost.Script{Refusals: []int{http.StatusForbidden}})
	_, err = e.Embed(t.Context(), []string{"x"})
	var refused *embed.RefusedError
	require.ErrorAs(t, err, &refused)
	require.True(t, refused.Caller())
	require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))

	h.Become(modelhost.Script{Refusals: []int{http.StatusBadRequest}})
	_, err = e.Embed(t.Context(), []string{"x"})
	require.ErrorAs(t, err, &refused)
	require.False(t, refused.Caller())

	h.Become(modelhost.Script{End: modelhost.Nonsense})
	_, err = e.Embed(t.Context(), []string{"x"})
	require.ErrorContains(t, err, "read the answer")
}

func TestHosted_patience(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	s, err := models.ParseEmbedding("openai:" + h.URL + "#m")
	require.NoError(t, err)
	o := embed.Options{Client: http.DefaultClient, Patient: true}

	h.Become(modelhost.Script{Refusals: []int{503, 503, 503}})
	e, err := embed.Open(t.Context(), s, o)
	require.NoError(t, err, "it is away")
	require.Zero(t, e.Dimensions())
	_, err = e.Embed(t.Context(), []string{"now"})
	require.NoError(t, err)
	require.Equal(t, modelhost.Dimensions, e.Dimensions())

	h.Become(modelhost.Script{Refusals: []int{503, 503, 503}})
	e, err = embed.Open(t.Context(), s, o)
	require.NoError(t, err)
	e.(interface{ Expect(dimensions int) }).Expect(modelhost.Dimensions + 1)
	_, err = e.Embed(t.Context(), []string{"now"})
	require.ErrorContains(t, err, "expected are 65", "vectors of another length than those stored")

	h.Become(modelhost.Script{Refusals: []int{401}})
	_, err = embed.Open(t.Context(), s, o)
	require.ErrorContains(t, err, "401", "waiting does not help against a wrong key")
	h.Become(modelhost.Script{End: modelhost.Nonsense})
	_, err = embed.Open(t.Context(), s, o)
	require.ErrorContains(t, err, "read the answer")
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
