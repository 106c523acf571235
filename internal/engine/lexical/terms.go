package lexical

// Version must change when new questions no longer match stored terms. Documents must then be
// indexed again.
const Version = 2

// Dimensions is the size of the term space; indices are below it.
const Dimensions = 1_000_000_000

// AverageLength is the number of terms that BM25 assumes as the average length of a passage.
// It is constant, because the weights of a stored passage must not change when other passages
// are added.
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
