package jobargs

import "github.com/riverqueue/river"

// RemoveDocuments removes the documents of a project that are marked for it.
type RemoveDocuments struct {
	CompanyID string `json:"company_id"`
	ProjectID string `json:"project_id"`
	JobID     string `json:"job_id"` // of the rag client that asked for it
}

// Company is the company whose rows the job may see.
func (j RemoveDocuments) Company() string { return j.CompanyID }

// Kind names the job.
func (RemoveDocuments) Kind() string { return "remove_documents" }

// InsertOpts are the job's defaults.
func (RemoveDocuments) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 10} }

// ReindexProject builds the vectors of a project for a model and makes them the ones that answer.
type ReindexProject struct {
	CompanyID string `json:"company_id"`
	ProjectID string `json:"project_id"`
	JobID     string `json:"job_id"` // of the rag client that asked for it
	Model     string `json:"model"`  // with its digest
}

// Company is the company whose rows the job may see.
func (j ReindexProject) Company() string { return j.CompanyID }

// Kind names the job.
func (ReindexProject) Kind() string { return "reindex_project" }

// InsertOpts are the job's defaults: only a process with models can do it.
func (ReindexProject) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueVectors, MaxAttempts: 10}
}
