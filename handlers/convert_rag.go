package handlers

import (
	"strconv"

	"docqa/gen/ragapi"
	"docqa/internal/retrieval"
)

// toAPISearch shows what was found. Without embeddings every search ranks by words,
// which is one half of hybrid: semantic would say more than is true. Nor is there a
// model that reranks.
func toAPISearch(found *retrieval.Result) *ragapi.RagSearchResponse {
	out := &ragapi.RagSearchResponse{
		Results: make([]ragapi.RagSearchResult, 0, len(found.Passages)), Mode: ragapi.RagModeHybrid,
		TookMs: int(found.Took.Milliseconds()),
	}
	for i := range found.Passages {
		p := &found.Passages[i]
		result := ragapi.RagSearchResult{
			ChunkID: "chk_" + strconv.FormatInt(p.ChunkID, 10), DocumentID: p.DocumentID, DocumentTitle: p.Title, Location: p.Filename,
			Excerpt: p.Body, ExcerptSpan: ragapi.NewNilRagSpan(ragapi.RagSpan{Start: int(p.Start), End: int(p.End)}),
			PageNumber: ragapi.NilInt{Null: true}, Score: p.Score, RerankScore: ragapi.NilFloat64{Null: true},
			Metadata: ragapi.RagMetadata{}, Highlights: []ragapi.RagSpan{},
		}
		if p.Page != nil {
			result.PageNumber = ragapi.NewNilInt(int(*p.Page))
		}
		for _, h := range found.Highlights(p) {
			result.Highlights = append(result.Highlights, ragapi.RagSpan(h))
		}
		out.Results = append(out.Results, result)
	}
	return out
}

// fromAPIFilters reads the filters; what they ask for is decided by retrieval.
func fromAPIFilters(filters ragapi.RagFilters) map[string]any {
	out := make(map[string]any, len(filters))
	for key, value := range filters {
		out[key] = value
	}
	return out
}
