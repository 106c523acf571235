package chat_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/search"
	"docqa/internal/testkit/factory"
)

// recordingSearcher is a search that records its queries.
type recordingSearcher struct {
	chat.Searcher

	mu    sync.Mutex
	asked []search.Query
}

func (l *recordingSearcher) Search(ctx context.Context, companyID, projectID string, q search.Query) (search.Result, error) {
	l.mu.Lock()
	l.asked = append(l.asked, q)
	l.mu.Unlock()
	return l.Searcher.Search(ctx, companyID, projectID, q)
}

func TestService_Ask_searchesByTheSettings(t *testing.T) {
	t.Parallel()
	settings := column.DefaultSettings()
	settings.Retrieval = column.Retrieval{
		Mode: "keyword", TopK: 5, ScoreThreshold: 0.1, RerankEnabled: true, RerankTopK: 2, QueryRewriting: true, MaxContextTokens: 500,
	}
	h := setupWith(t, scripted{}, factory.TenantOpts{Settings: &settings})
	searcher := &recordingSearcher{Searcher: search.New(search.Deps{Store: h.store, Clock: h.clock})}
	h.chat = chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: searcher, Writer: chat.Hosted(scripted{})})
	first := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"})
	require.Len(t, first.Sources[0].ChunkIDs, 1)
	h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "And the delivery?", SessionID: first.SessionID})
	want := search.Query{
		Text: "And the delivery?", History: []string{"How long is the warranty?"}, LastAnswer: warranty + " [1].", CitedChunks: first.Sources[0].ChunkIDs,
		Mode: search.Keyword, TopK: 5, Threshold: 0.1, Rerank: true, RerankTopK: 2,
	}
	require.Equal(t, want, searcher.asked[1])

	h.Project.Settings.Retrieval.QueryRewriting = false
	h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "And the delivery?", SessionID: first.SessionID})
	want.History, want.LastAnswer, want.CitedChunks = nil, "", nil
	require.Equal(t, want, searcher.asked[2], "neither earlier turns nor their passages count")

	_, err := h.chat.Preview(h.Context(t.Context()), h.CompanyID, &h.Project, "And the delivery?")
	require.NoError(t, err)
	searcher.asked[3].Reranking = nil
	require.Equal(t, want, searcher.asked[3], "a preview searches in the same way")
}

// long answers passages of so many bytes each.
type long []int

func (l long) Search(context.Context, string, string, search.Query) (search.Result, error) {
	res := search.Result{Question: lexical.NewStats().Question("x?")}
	for i, size := range l {
		res.Passages = append(res.Passages, search.Passage{Title: "t", Ordinal: int32(i), Body: string(slices.Repeat([]byte("x"), size))})
	}
	return res, nil
}

func TestService_Try_readsWithinTheContext(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Project.Settings.Retrieval.MaxContextTokens = 500 // 2,000 bytes
	for _, tt := range []struct {
		passages long
		want     int
	}{
		{long{}, 0}, {long{100}, 1}, {long{1000, 1000, 1}, 2}, {long{1999, 2}, 1}, {long{5000, 10}, 1},
	} {
		svc := chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: tt.passages, Writer: chat.Extractive()})
		result, err := svc.Preview(h.Context(t.Context()), h.CompanyID, &h.Project, "x?")
		require.NoError(t, err)
		require.Len(t, result.Found, tt.want, "%v", tt.passages)
	}
}
