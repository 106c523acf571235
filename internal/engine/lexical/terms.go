package lexical

// Version changes when stored terms no longer match those of a new question, so
// that documents must be indexed again.
const Version = 2

// Dimensions is the size of the term space; indices are below it.
const Dimensions = 1_000_000_000

// AverageLength is the length in terms that BM25 takes as the average of a passage.
// It is fixed, because the weight of a stored passage must not change with its neighbours.
const AverageLength = 110

// Term is one element of a sparse vector.
type Term struct {
	Index  int32 // 0 up to Dimensions
	Weight float32
}

// Passage is what is indexed of a chunk. The title, headings and context count like
// the words of the body.
type Passage struct {
	Title       string
	HeadingPath []string
	Context     string
	Body        string
}
