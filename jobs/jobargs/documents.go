package jobargs

import "github.com/riverqueue/river"

// IngestAttempts is how many attempts an ingestion has before its document fails.
const IngestAttempts = 5

// DocumentRun is one ingestion of a document.
type DocumentRun struct {
	CompanyID  string `json:"company_id"`
	ProjectID  string `json:"project_id"`
	DocumentID string `json:"document_id"`
	Run        int32  `json:"run"` // the document's ingest_run; the job does nothing if the document has another one
}

// Company is the company whose rows the job may see.
func (r DocumentRun) Company() string { return r.CompanyID }

// IngestDocument does the next step of a document whose file is stored: reads it, or stores
// a slice of a large one.
type IngestDocument struct {
	DocumentRun
}

// Kind names the job.
func (IngestDocument) Kind() string { return "ingest_document" }

// InsertOpts are the job's defaults.
func (IngestDocument) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueIngest, MaxAttempts: IngestAttempts}
}

// FetchPage reads the page that a document is made of, and stores it.
type FetchPage struct {
	DocumentRun
}

// Kind names the job.
func (FetchPage) Kind() string { return "fetch_page" }

// InsertOpts are the job's defaults.
func (FetchPage) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueFetch, MaxAttempts: IngestAttempts}
}

// RemoveObject deletes a stored object, unless the document refers to it.
type RemoveObject struct {
	CompanyID  string `json:"company_id"`
	ProjectID  string `json:"project_id"`
	DocumentID string `json:"document_id"`
	Key        string `json:"key"`
}

// Company is the company whose rows the job may see.
func (j RemoveObject) Company() string { return j.CompanyID }

// Kind names the job.
func (RemoveObject) Kind() string { return "remove_object" }

// InsertOpts are the job's defaults.
func (RemoveObject) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 20} }

// RedactDocuments removes what messages, test runs, the activity feed and ended jobs hold
// of documents that were deleted.
type RedactDocuments struct {
	CompanyID   string   `json:"company_id"`
	ProjectID   string   `json:"project_id"`
	DocumentIDs []string `json:"document_ids"`
}

// Company is the company whose rows the job may see.
func (j RedactDocuments) Company() string { return j.CompanyID }

// Kind names the job.
func (RedactDocuments) Kind() string { return "redact_documents" }

// InsertOpts are the job's defaults. Deleted content must not stay because attempts ran out, so there are many.
func (RedactDocuments) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 50} }

// SettleProject brings what is derived from a project's documents up to date after
// documents went away.
type SettleProject struct {
	CompanyID string `json:"company_id"`
	ProjectID string `json:"project_id"`
}

// Company is the company whose rows the job may see.
func (j SettleProject) Company() string { return j.CompanyID }

// Kind names the job.
func (SettleProject) Kind() string { return "settle_project" }

// InsertOpts are the job's defaults.
func (SettleProject) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 20} }
