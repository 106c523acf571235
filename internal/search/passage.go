package search

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/column"
)

// Mode says what chunks are scored by.
type Mode string

// The modes of a search.
const (
	Keyword  Mode = "keyword"  // by words: BM25
	Semantic Mode = "semantic" // by meaning: vectors
	Hybrid   Mode = "hybrid"   // by both
)

// Query is a search.
type Query struct {
	Text        string
	History     []string // the user's earlier questions, the oldest first
	LastAnswer  string   // the answer to the last of them; a question may refer to it
	CitedChunks []int64  // chunks that earlier answers cite; they are candidates again
	Mode        Mode     // empty: Hybrid
	TopK        int      // 1 to 50
	Threshold   float64  // passages that score less are left out; 0 to 1
	Rerank      bool     // passages get a RerankScore, from the reranking model if there is one
	RerankTopK  int      // how many of them stay, at most TopK; 0: TopK
	// Filters are metadata that a document must have: for each key a value, or a list of
	// values of which the document must have one. Strings, numbers and booleans.
	Filters map[string]any
	// Reranking is called when reranking begins; may be nil.
	Reranking func()
}

// ByProject returns q with the project's retrieval settings.
func (q Query) ByProject(settings *column.Retrieval) Query {
	q.Mode, q.TopK, q.Threshold, q.Filters = Mode(settings.Mode), settings.TopK, settings.ScoreThreshold, settings.MetadataFilter
	q.Rerank, q.RerankTopK = settings.RerankEnabled, settings.RerankTopK
	if !settings.QueryRewriting {
		q.History, q.LastAnswer, q.CitedChunks = nil, "", nil
	}
	return q
}

// limit returns how many passages are wanted.
func (q Query) limit() int {
	if q.Rerank && q.RerankTopK > 0 {
		return min(q.TopK, q.RerankTopK)
	}
	return q.TopK
}

// Passage is a chunk that was found, or up to three neighbours that were found, joined.
type Passage struct {
	ChunkID     int64
	ChunkIDs    []int64 // of all chunks that were joined, in reading order
	DocumentID  string
	ExternalID  *string // the caller's own id of the document
	Title       string  // the file name without extension
	Filename    string
	SourceURL   *string // of a crawled page
	Metadata    column.Metadata
	Page        *int32 // from 1; nil if the file has no pages
	Ordinal     int32  // position in the document, counted in chunks
	Start       int32  // first code point in the text of the page, or of the document if it has no pages
	End         int32  // code point after the last
	HeadingPath []string
	Context     string          // what the first block needs and stands in an earlier chunk, see chunk.Chunk; not part of the body
	Body        string          // verbatim
	Marks       doc.Marks       // the blocks of Body; none where the chunks were stored without
	Lexical     float64         // BM25, 0 or more, without an upper bound
	Cosine      float64         // of the question's vector and the passage's, -1 to 1; 0 without vectors
	Sentences   []sentvec.Score // the cosine of each sentence, by code points of the body; none without vectors
	Score       float64         // relevance, 0 to 1; never higher than that of the passage before
	RerankScore *float64        // how well it answers, 0 to 1; never higher than that of the passage before; nil without reranking

	stems  []byte  // the positions of the body's stemmed words
	lead   string  // the text between the chunk before and this one
	fused  float64 // the score by BM25 and cosine, 0 to 1
	chance float64 // the probability, by the learned ranking, that it answers the question
}

// Result is the result of a search.
type Result struct {
	Passages []Passage         // the best first
	Text     string            // the question as it was searched for: whole and without spelling mistakes
	Question *lexical.Question // Text in terms; it finds its words in a passage
	Mode     Mode              // how it was really searched: Keyword if there were no vectors
	Reranked bool              // whether passages have a RerankScore
	Signals  Signals
	Took     time.Duration
}

// Signals describe the search as a whole.
type Signals struct {
	SemanticWeight float64 // share of the vectors in the order of the candidates, 0 to 1
	BestLexical    float64 // the highest BM25 of all candidates, as a share of what an average passage can have
	BestCosine     float64 // the highest cosine of all candidates
}

func fromRow(r *dbsqlc.ChunkSearchRow) Passage {
	return Passage{
		ChunkID: r.ChunkID, ChunkIDs: []int64{r.ChunkID}, DocumentID: r.DocumentID, ExternalID: r.ExternalID, Title: r.Title,
		Filename: r.Filename, SourceURL: r.SourceURL, Metadata: r.Metadata, Page: r.Page, Ordinal: r.Ordinal, Start: r.StartOffset,
		End: r.EndOffset, HeadingPath: r.HeadingPath, Context: r.Context, Body: r.Body, Lexical: r.Bm25, Cosine: r.Cosine,
		lead: r.Lead, stems: r.Stems, Marks: marks(r.Blocks, r.Body),
	}
}

// marks unpacks the blocks of a body. Bytes that do not fit the body give none.
func marks(packed []byte, body string) doc.Marks {
	m, _ := doc.Unpack(packed, len(body))
	return m
}
