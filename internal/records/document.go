package records

// Metadata are values that a service keeps with a document: strings, numbers and booleans.
type Metadata map[string]any

// DocumentFile is a document's file with what is kept beside it: as a column, the one
// that takes the place of the present file once it is indexed.
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

// JobError is a document that a job could not bring to its end.
type JobError struct {
	DocumentID string `json:"documentId"` // as its caller knows it
	Error      string `json:"error"`      // safe to show
	Code       string `json:"code"`
}

// JobErrors are the first hundred of a job; never null.
type JobErrors []JobError
