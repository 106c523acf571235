package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"docqa/internal/provider/wire"
)

// serverTexts is how many texts one request holds: the smallest limit of common servers.
const serverTexts = 64

// openAI is the protocol of /v1/embeddings.
type openAI struct{ url, model, key string }

func (openAI) maxTexts() int { return serverTexts }

func (o openAI) request(ctx context.Context, texts []string, _ bool) (*http.Request, error) {
	req, _, err := wire.NewRequest(ctx, o.url, map[string]any{"model": o.model, "input": texts, "encoding_format": "float"})
	if err == nil && o.key != "" {
		req.Header.Set("Authorization", "Bearer "+o.key)
	}
	return req, err
}

// vectors returns the vectors of an answer in the order of the texts.
func (openAI) vectors(body io.Reader) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.NewDecoder(body).Decode(&a); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(a.Data))
	for _, d := range a.Data {
		if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
			return nil, fmt.Errorf("the server answered the index %d twice or out of order", d.Index)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}
