package benchmark

import (
	"context"
	"encoding/json"
	"strings"
)

const topK = 10

// searcher asks the service's search for passages.
type searcher struct {
	*caller
	project, mode string
}

func (h *house) searcher(project, mode string) searcher {
	return searcher{newCaller(h.url+"/v1/rag/search", "X-Rag-Service-Key", h.ragKey), project, mode}
}

// ids returns the chunks found, best first, and the mode that found them.
func (s searcher) ids(ctx context.Context, query string) (ids []string, mode string, err error) {
	body := map[string]any{"projectId": s.project, "query": query, "topK": topK}
	if s.mode != "" {
		body["mode"] = s.mode
	}
	data, err := s.post(ctx, body)
	if err != nil {
		return nil, "", err
	}
	var found struct {
		Mode    string `json:"mode"`
		Results []struct {
			ChunkID string `json:"chunkId"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &found); err != nil {
		return nil, "", err
	}
	for _, r := range found.Results {
		ids = append(ids, strings.TrimPrefix(r.ChunkID, "chk_"))
	}
	return ids, found.Mode, nil
}
