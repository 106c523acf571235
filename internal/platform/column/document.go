package column

import "math"

// Metadata are values that a rag client stores with a document: strings, numbers and booleans.
type Metadata map[string]any

// DocumentFile is a document's file with its properties. As a column it describes the
// replacement: the file that replaces the current one after it is indexed.
type DocumentFile struct {
	Filename     string   `json:"filename"`
	Title        string   `json:"title"`
	ContentType  string   `json:"contentType"`
	Format       string   `json:"format"`
	SizeBytes    int64    `json:"sizeBytes"`
	SourceURL    *string  `json:"sourceUrl,omitempty"`
	ObjectKey    *string  `json:"objectKey,omitempty"` // absent until the source is fetched
	ObjectETag   *string  `json:"objectEtag,omitempty"`
	Metadata     Metadata `json:"metadata"`
	ChunkSize    *int32   `json:"chunkSize,omitempty"` // characters; absent: the service's default
	ChunkOverlap *int32   `json:"chunkOverlap,omitempty"`
}

// IngestWork is the progress of a document that is stored in slices: what was read of it, and
// how much of that is stored.
type IngestWork struct {
	ObjectKey string   `json:"objectKey"` // of the chunk file
	SHA256    string   `json:"sha256"`    // of the document's file, hex
	Chunks    int      `json:"chunks"`
	Pages     *int32   `json:"pages,omitempty"` // absent for a file without pages
	Language  string   `json:"language,omitempty"`
	LeftOut   *LeftOut `json:"leftOut,omitempty"`
	Stored    int      `json:"stored"` // chunks that are stored already
	Offset    int64    `json:"offset"` // where the next chunk begins in the chunk file, in bytes
}

// LeftOut is how much text a file has and how much of it is not indexed.
type LeftOut struct {
	Characters int           `json:"characters"` // of all text, code points
	Reasons    []LeftOutPart `json:"reasons"`    // each once
}

// LeftOutPart is text that is not indexed for one reason.
type LeftOutPart struct {
	Reason     string `json:"reason"`
	Characters int    `json:"characters"`
}

// Total is how many characters are not indexed.
func (l *LeftOut) Total() int {
	n := 0
	for _, p := range l.Reasons {
		n += p.Characters
	}
	return n
}

// Share is the part that n characters are of all text, 0 to 1 in thousandths.
func (l *LeftOut) Share(n int) float64 {
	if l.Characters == 0 {
		return 0
	}
	return math.Round(1000*float64(n)/float64(l.Characters)) / 1000
}

// JobError is a document that a job could not process.
type JobError struct {
	DocumentID string `json:"documentId"` // the id by which the caller knows it
	Error      string `json:"error"`      // safe to show
	Code       string `json:"code"`
}

// JobErrors holds at most the first hundred errors of a job; never null.
type JobErrors []JobError
