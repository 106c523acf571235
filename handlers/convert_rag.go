package handlers

import (
	"strconv"

	"docqa/gen/ragapi"
	"docqa/internal/chat"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/ragservice"
	"docqa/internal/search"
)

// fromAPISearch reads a search. What it leaves out is as the project has it, but the
// number of results and the threshold, which a project sets for its answers.
func fromAPISearch(req *ragapi.RagSearchRequest, text string, settings *column.Retrieval) search.Query {
	q := search.Query{Text: text}.ByProject(settings)
	q.TopK, q.RerankTopK, q.Threshold = req.TopK.Or(defaultTopK), 0, req.ScoreThreshold.Or(0)
	q.Mode, q.Rerank = search.Mode(req.Mode.Or(ragapi.RagMode(q.Mode))), req.Rerank.Or(false)
	if filters, ok := req.Filters.Get(); ok {
		q.Filters = fromAPIFilters(filters)
	}
	return q
}

// toAPISearch shows what was found.
func (r *RagAPI) toAPISearch(found *search.Result) *ragapi.RagSearchResponse {
	out := &ragapi.RagSearchResponse{
		Results: make([]ragapi.RagSearchResult, 0, len(found.Passages)), Mode: ragapi.RagMode(found.Mode),
		Reranked: found.Reranked, TookMs: int(found.Took.Milliseconds()),
	}
	for i := range found.Passages {
		p := &found.Passages[i]
		result := ragapi.RagSearchResult{
			ChunkID: r.chunkID(p), DocumentID: ragDocumentID(p), DocumentTitle: p.Title, Location: p.Filename,
			Excerpt: p.Body, ExcerptSpan: ragExcerptSpan(p), PageNumber: ragPage(p), Score: p.Score, RerankScore: ragapi.NilFloat64{Null: p.RerankScore == nil},
			Metadata: toAPIRagMetadata(p.Metadata), Highlights: []ragapi.RagSpan{},
		}
		if p.RerankScore != nil {
			result.RerankScore.Value = *p.RerankScore
		}
		for _, h := range found.Highlights(p) {
			result.Highlights = append(result.Highlights, ragapi.RagSpan(h))
		}
		out.Results = append(out.Results, result)
	}
	return out
}

// chunkID is the same for a chunk as long as it lives, and tells nothing else.
func (r *RagAPI) chunkID(p *search.Passage) string {
	return ids.Keyed(ids.Chunk, r.ChunkKey, strconv.FormatInt(p.ChunkID, 10))
}

// ragDocumentID is the id that a service knows a document by.
func ragDocumentID(p *search.Passage) string {
	return ragservice.ExternalID(p.DocumentID, p.ExternalID)
}

func ragExcerptSpan(p *search.Passage) ragapi.NilRagSpan {
	return ragapi.NewNilRagSpan(ragapi.RagSpan{Start: int(p.Start), End: int(p.End)})
}

func ragPage(p *search.Passage) ragapi.NilInt {
	if p.Page == nil {
		return ragapi.NilInt{Null: true}
	}
	return ragapi.NewNilInt(int(*p.Page))
}

func (r *RagAPI) toAPIRagSource(index int, p *search.Passage) ragapi.RagSource {
	source := ragapi.RagSource{
		Index: index, ChunkID: r.chunkID(p), DocumentID: ragDocumentID(p), DocumentTitle: p.Title, Location: p.Filename,
		SourceURL: ragapi.NilString{Null: true}, Excerpt: p.Body, ExcerptSpan: ragExcerptSpan(p), PageNumber: ragPage(p), Score: p.Score,
		Spans: []ragapi.RagSpan{},
	}
	if p.SourceURL != nil {
		source.SourceURL = ragapi.NewNilString(*p.SourceURL)
	}
	return source
}

// toAPIRagFound shows passages by their ranks.
func (r *RagAPI) toAPIRagFound(passages []search.Passage) []ragapi.RagSource {
	out := make([]ragapi.RagSource, 0, len(passages))
	for i := range passages {
		out = append(out, r.toAPIRagSource(i+1, &passages[i]))
	}
	return out
}

// toAPIRagCited shows the passages that an answer names, with where it does.
func (r *RagAPI) toAPIRagCited(t *chat.Trial) []ragapi.RagSource {
	out := make([]ragapi.RagSource, 0, len(t.Sources))
	for i := range t.Sources {
		cited := r.toAPIRagSource(t.Sources[i].Index, &t.Cited[t.Sources[i].Index-1])
		for _, span := range t.Sources[i].Spans {
			cited.Spans = append(cited.Spans, ragapi.RagSpan(span))
		}
		out = append(out, cited)
	}
	return out
}

// fromAPIFilters reads the filters; what they ask for is decided by retrieval.
func fromAPIFilters(filters ragapi.RagFilters) map[string]any {
	out := make(map[string]any, len(filters))
	for key, value := range filters {
		switch value.Type {
		case ragapi.RagMetadataValueArrayRagFilterValue:
			list := make([]any, len(value.RagMetadataValueArray))
			for i, one := range value.RagMetadataValueArray {
				list[i] = fromAPIRagValue(one)
			}
			out[key] = list
		case ragapi.StringRagFilterValue:
			out[key] = value.String
		case ragapi.Float64RagFilterValue:
			out[key] = value.Float64
		case ragapi.BoolRagFilterValue:
			out[key] = value.Bool
		}
	}
	return out
}

func fromAPIRagValue(value ragapi.RagMetadataValue) any {
	switch value.Type {
	case ragapi.Float64RagMetadataValue:
		return value.Float64
	case ragapi.BoolRagMetadataValue:
		return value.Bool
	case ragapi.StringRagMetadataValue:
	}
	return value.String
}

// toAPIRagMetadata shows what a service keeps with a document.
func toAPIRagMetadata(metadata column.Metadata) ragapi.RagMetadata {
	out := make(ragapi.RagMetadata, len(metadata))
	for key, value := range metadata {
		switch v := value.(type) {
		case string:
			out[key] = ragapi.NewStringRagMetadataValue(v)
		case float64:
			out[key] = ragapi.NewFloat64RagMetadataValue(v)
		case bool:
			out[key] = ragapi.NewBoolRagMetadataValue(v)
		}
	}
	return out
}
