package embed

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"docqa/internal/platform/models"
	"docqa/internal/provider/llm/bedrock"
)

// The limits of Bedrock's models.
const (
	cohereTexts  = 96
	cohereLetter = 2048  // characters of a text; it is cut here, before the provider would cut it
	titanLetters = 50000 // characters of a text; the provider refuses a longer one
)

// titan is Amazon's protocol of InvokeModel: one text in each request.
type titan struct{ caller *bedrock.Caller }

func (titan) maxTexts() int { return 1 }

func (t titan) request(ctx context.Context, texts []string, _ bool) (*http.Request, error) {
	return t.caller.Request(ctx, "invoke", map[string]any{"inputText": cut(texts[0], titanLetters)})
}

func (titan) vectors(body io.Reader) ([][]float32, error) {
	var a struct {
		Embedding []float32 `json:"embedding"`
	}
	if err := json.NewDecoder(body).Decode(&a); err != nil {
		return nil, err
	}
	return [][]float32{a.Embedding}, nil
}

// cohere is Cohere's protocol of InvokeModel, which distinguishes questions from passages.
type cohere struct{ caller *bedrock.Caller }

func (cohere) maxTexts() int { return cohereTexts }

func (c cohere) request(ctx context.Context, texts []string, question bool) (*http.Request, error) {
	short, kind := make([]string, len(texts)), "search_document"
	for i, text := range texts {
		short[i] = cut(text, cohereLetter)
	}
	if question {
		kind = "search_query"
	}
	return c.caller.Request(ctx, "invoke", map[string]any{
		"texts": short, "input_type": kind, "truncate": "END", "embedding_types": []string{"float"},
	})
}

func (cohere) vectors(body io.Reader) ([][]float32, error) {
	var a struct {
		Embeddings struct {
			Float [][]float32 `json:"float"`
		} `json:"embeddings"`
	}
	if err := json.NewDecoder(body).Decode(&a); err != nil {
		return nil, err
	}
	return a.Embeddings.Float, nil
}

// cut returns the first n code points.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

func openBedrock(ctx context.Context, s models.Embedding, o Options) (Embedder, error) {
	caller, err := bedrock.NewCaller(ctx, bedrock.Options{
		BaseURL: o.BedrockURL, Region: s.Region, Model: s.Model, Key: o.APIKey, Clock: o.Clock,
	})
	if err != nil {
		return nil, err
	}
	if s.Cohere() {
		return openHosted(ctx, cohere{caller}, s.Model, o)
	}
	return openHosted(ctx, titan{caller}, s.Model, o)
}
