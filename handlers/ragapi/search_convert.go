package ragapi

import (
	"strconv"

	oas "docqa/gen/ragapi"
	"docqa/internal/chat"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/ragservice"
	"docqa/internal/search"
)

// fromAPISearch reads a search. The project's settings apply to what the request leaves
// out. The number of results and the threshold have their own defaults, since a project
// sets these two for its answers.
func fromAPISearch(req *oas.RagSearchRequest, text string, settings *column.Retrieval) search.Query {
	q := search.Query{Text: text}.ByProject(settings)
	q.TopK, q.RerankTopK, q.Threshold = req.TopK.Or(defaultTopK), 0, req.ScoreThreshold.Or(0)
	q.Mode, q.Rerank = search.Mode(req.Mode.Or(oas.RagMode(q.Mode))), req.Rerank.Or(false)
	if filters, ok := req.Filters.Get(); ok {
		q.Filters = fromAPIFilters(filters)
	}
	return q
}

// toAPISearch converts the result of a search.
func (r *RagAPI) toAPISearch(found *search.Result) *oas.RagSearchResponse {
	out := &oas.RagSearchResponse{
		Results: make([]oas.RagSearchResult, 0, len(found.Passages)), Mode: oas.RagMode(found.Mode),
		Reranked: found.Reranked, TookMs: int(found.Took.Milliseconds()),
	}
	for i := range found.Passages {
		p := &found.Passages[i]
		result := oas.RagSearchResult{
			ChunkID: r.chunkID(p), DocumentID: ragDocumentID(p), DocumentTitle: p.Title, Location: p.Filename,
			Excerpt: p.Body, ExcerptSpan: ragExcerptSpan(p), PageNumber: ragPage(p), Score: p.Score, RerankScore: oas.NilFloat64{Null: p.RerankScore == nil},
			Metadata: toAPIRagMetadata(p.Metadata),
		}
		if p.RerankScore != nil {
			result.RerankScore.Value = *p.RerankScore
		}
		result.Highlights = toAPIRagSpans(found.Highlights(p))
		out.Results = append(out.Results, result)
	}
	return out
}

// chunkID returns the id that callers see for a chunk. It stays the same as long as the
// chunk exists and does not reveal the number in the database.
func (r *RagAPI) chunkID(p *search.Passage) string {
	return ids.Keyed(ids.Chunk, r.ChunkKey, strconv.FormatInt(p.ChunkID, 10))
}

// ragDocumentID returns the id by which the rag client knows the document.
func ragDocumentID(p *search.Passage) string {
	return ragservice.ExternalID(p.DocumentID, p.ExternalID)
}

func ragExcerptSpan(p *search.Passage) oas.NilRagSpan {
	return oas.NewNilRagSpan(oas.RagSpan{Start: int(p.Start), End: int(p.End)})
}

func ragPage(p *search.Passage) oas.NilInt {
	if p.Page == nil {
		return oas.NilInt{Null: true}
	}
	return oas.NewNilInt(int(*p.Page))
}

func (r *RagAPI) toAPIRagSource(index int, p *search.Passage) oas.RagSource {
	source := oas.RagSource{
		Index: index, ChunkID: r.chunkID(p), DocumentID: ragDocumentID(p), DocumentTitle: p.Title, Location: p.Filename,
		SourceURL: oas.NilString{Null: true}, Excerpt: p.Body, ExcerptSpan: ragExcerptSpan(p), PageNumber: ragPage(p), Score: p.Score,
		Spans: []oas.RagSpan{}, Quote: oas.NilRagSpan{Null: true}, Quotes: []oas.RagSpan{},
	}
	if p.SourceURL != nil {
		source.SourceURL = oas.NewNilString(*p.SourceURL)
	}
	return source
}

// toAPIRagFound converts found passages, numbered by their ranks.
func (r *RagAPI) toAPIRagFound(passages []search.Passage) []oas.RagSource {
	out := make([]oas.RagSource, 0, len(passages))
	for i := range passages {
		out = append(out, r.toAPIRagSource(i+1, &passages[i]))
	}
	return out
}

// toAPIRagCited converts the passages that an answer cites, with the places of the citations.
func (r *RagAPI) toAPIRagCited(t *chat.PreviewResult) []oas.RagSource {
	out := make([]oas.RagSource, 0, len(t.Sources))
	for i := range t.Sources {
		s := &t.Sources[i]
		cited := r.toAPIRagSource(s.Index, &t.Cited[i])
		cited.Excerpt, cited.ExcerptSpan = s.Excerpt, oas.NewNilRagSpan(oas.RagSpan(s.ExcerptSpan))
		cited.Spans, cited.Quotes = toAPIRagSpans(s.Spans), toAPIRagSpans(s.Quotes)
		if len(cited.Quotes) > 0 {
			cited.Quote = oas.NewNilRagSpan(cited.Quotes[0])
		}
		out = append(out, cited)
	}
	return out
}

func toAPIRagSpans(list []column.Span) []oas.RagSpan {
	out := make([]oas.RagSpan, 0, len(list))
	for _, span := range list {
		out = append(out, oas.RagSpan(span))
	}
	return out
}

// fromAPIFilters converts the filters. It does not check them: the search does.
func fromAPIFilters(filters oas.RagFilters) map[string]any {
	out := make(map[string]any, len(filters))
	for key, value := range filters {
		switch value.Type {
		case oas.RagMetadataValueArrayRagFilterValue:
			list := make([]any, len(value.RagMetadataValueArray))
			for i, one := range value.RagMetadataValueArray {
				list[i] = fromAPIRagValue(one)
			}
			out[key] = list
		case oas.StringRagFilterValue:
			out[key] = value.String
		case oas.Float64RagFilterValue:
			out[key] = value.Float64
		case oas.BoolRagFilterValue:
			out[key] = value.Bool
		}
	}
	return out
}

func fromAPIRagValue(value oas.RagMetadataValue) any {
	switch value.Type {
	case oas.Float64RagMetadataValue:
		return value.Float64
	case oas.BoolRagMetadataValue:
		return value.Bool
	case oas.StringRagMetadataValue:
	}
	return value.String
}

// toAPIRagMetadata converts the metadata that the rag client stored with a document.
func toAPIRagMetadata(metadata column.Metadata) oas.RagMetadata {
	out := make(oas.RagMetadata, len(metadata))
	for key, value := range metadata {
		switch v := value.(type) {
		case string:
			out[key] = oas.NewStringRagMetadataValue(v)
		case float64:
			out[key] = oas.NewFloat64RagMetadataValue(v)
		case bool:
			out[key] = oas.NewBoolRagMetadataValue(v)
		}
	}
	return out
}
