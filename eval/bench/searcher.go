package bench

import (
	"context"
	"encoding/json"
	"strconv"
)

const topK = 10

// searcher asks the service's search for passages.
type searcher struct {
	*caller
	project, mode string
	first         int64 // number of the project's first chunk
}

func (h *house) searcher(project, mode string) searcher {
	return searcher{caller: newCaller(h.url+"/v1/rag/search", "X-Rag-Service-Key", h.ragKey), project: project, mode: mode}
}

// ids returns the numbers of the chunks found, which the stock has told by their places, best
// first, and the mode that found them.
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
			ExcerptSpan struct{ Start int } `json:"excerptSpan"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &found); err != nil {
		return nil, "", err
	}
	for _, r := range found.Results {
		ids = append(ids, strconv.FormatInt(s.first+int64(r.ExcerptSpan.Start/(2*stockWidth)), 10))
	}
	return ids, found.Mode, nil
}
