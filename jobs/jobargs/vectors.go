package jobargs

import "github.com/riverqueue/river"

// BuildVectors gives every chunk of a project a vector of one model.
type BuildVectors struct {
	CompanyID string `json:"company_id"`
	ProjectID string `json:"project_id"`
}

// Company is the company whose rows the job may see.
func (j BuildVectors) Company() string { return j.CompanyID }

// Kind names the job.
func (BuildVectors) Kind() string { return "build_vectors" }

// InsertOpts are the job's defaults.
func (BuildVectors) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: QueueVectors, MaxAttempts: 20, UniqueOpts: oneAtATime()}
}

// BuildAllVectors inserts BuildVectors for every project that needs it.
type BuildAllVectors struct{ sweep }

// Kind names the job.
func (BuildAllVectors) Kind() string { return "build_all_vectors" }

// InsertOpts are the job's defaults.
func (b BuildAllVectors) InsertOpts() river.InsertOpts {
	o := b.sweep.InsertOpts()
	o.Queue = QueueVectors
	return o
}
