package column

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
	ObjectKey string `json:"objectKey"` // of the chunk file
	SHA256    string `json:"sha256"`    // of the document's file, hex
	Chunks    int    `json:"chunks"`
	Pages     *int32 `json:"pages,omitempty"` // absent for a file without pages
	Language  string `json:"language,omitempty"`
	Stored    int    `json:"stored"` // chunks that are stored already
	Offset    int64  `json:"offset"` // where the next chunk begins in the chunk file, in bytes
}

// JobError is a document that a job could not process.
type JobError struct {
	DocumentID string `json:"documentId"` // the id by which the caller knows it
	Error      string `json:"error"`      // safe to show
	Code       string `json:"code"`
}

// JobErrors holds at most the first hundred errors of a job; never null.
type JobErrors []JobError
