package search

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"docqa/eval/bench/harness"
)

const topK = 10

// searcher calls the service's search in one project.
type searcher struct {
	*harness.Caller

	project, mode string
	first         int64 // id of the project's first chunk
}

// newSearcher makes a searcher. An empty mode means the project's default.
func newSearcher(s *harness.Server, project, mode string) searcher {
	return searcher{Caller: harness.NewCaller(s.URL+"/v1/rag/search", "X-Rag-Service-Key", s.RAGKey), project: project, mode: mode}
}

// ids returns the ids of the chunks that were found, best first, and the mode of the search. The API shows no chunk ids: they are
// computed from the offset, which the loader chose.
func (s searcher) ids(ctx context.Context, query string) (ids []string, mode string, err error) {
	body := map[string]any{"projectId": s.project, "query": query, "topK": topK}
	if s.mode != "" {
		body["mode"] = s.mode
	}
	data, err := s.Post(ctx, body)
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
		ids = append(ids, strconv.FormatInt(s.first+int64(r.ExcerptSpan.Start/(2*chunkDistance)), 10))
	}
	return ids, found.Mode, nil
}

// searchInMode searches and fails if another mode answered.
func (s searcher) searchInMode(ctx context.Context, query string) error {
	_, mode, err := s.ids(ctx, query)
	if err == nil && mode != s.mode {
		err = fmt.Errorf("the search was answered in the mode %s, not %s", mode, s.mode)
	}
	return err
}

func mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}
