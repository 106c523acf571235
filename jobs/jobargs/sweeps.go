package jobargs

import "github.com/riverqueue/river"

// SweepDocuments fails ingestions past their deadline and removes abandoned uploads.
type SweepDocuments struct{}

// Kind names the job.
func (SweepDocuments) Kind() string { return "sweep_documents" }

// InsertOpts are the job's defaults.
func (SweepDocuments) InsertOpts() river.InsertOpts { return sweep() }

// SweepRateLimits removes buckets that are full again.
type SweepRateLimits struct{}

// Kind names the job.
func (SweepRateLimits) Kind() string { return "sweep_rate_limits" }

// InsertOpts are the job's defaults.
func (SweepRateLimits) InsertOpts() river.InsertOpts { return sweep() }

// SweepIdempotency removes the expired answers that are stored for repeated requests.
type SweepIdempotency struct{}

// Kind names the job.
func (SweepIdempotency) Kind() string { return "sweep_idempotency" }

// InsertOpts are the job's defaults.
func (SweepIdempotency) InsertOpts() river.InsertOpts { return sweep() }

// SweepStreams removes streamed answers that can no longer be resumed.
type SweepStreams struct{}

// Kind names the job.
func (SweepStreams) Kind() string { return "sweep_streams" }

// InsertOpts are the job's defaults.
func (SweepStreams) InsertOpts() river.InsertOpts { return sweep() }

// SweepRagJobs fails rag jobs that no worker continues, and removes old ones.
type SweepRagJobs struct{}

// Kind names the job.
func (SweepRagJobs) Kind() string { return "sweep_rag_jobs" }

// InsertOpts are the job's defaults.
func (SweepRagJobs) InsertOpts() river.InsertOpts { return sweep() }

// MaintainLargeIndexes brings the indexes of large projects up to date.
type MaintainLargeIndexes struct{}

// Kind names the job.
func (MaintainLargeIndexes) Kind() string { return "maintain_large_indexes" }

// InsertOpts are the job's defaults.
func (MaintainLargeIndexes) InsertOpts() river.InsertOpts { return sweep() }

// sweep returns the defaults of a periodic job. It has few attempts, because the next one follows soon.
func sweep() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: oneAtATime()}
}
