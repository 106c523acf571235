package jobargs

import "github.com/riverqueue/river"

// sweep is a periodic job without arguments.
type sweep struct{}

// InsertOpts returns the job's defaults. It has few attempts, because the next one follows soon.
func (sweep) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: oneAtATime()}
}

// SweepDocuments fails ingestions past their deadline and removes abandoned uploads.
type SweepDocuments struct{ sweep }

// Kind names the job.
func (SweepDocuments) Kind() string { return "sweep_documents" }

// SweepRateLimits removes buckets that are full again.
type SweepRateLimits struct{ sweep }

// Kind names the job.
func (SweepRateLimits) Kind() string { return "sweep_rate_limits" }

// SweepIdempotency removes the expired answers that are stored for repeated requests.
type SweepIdempotency struct{ sweep }

// Kind names the job.
func (SweepIdempotency) Kind() string { return "sweep_idempotency" }

// SweepStreams removes streamed answers that can no longer be resumed.
type SweepStreams struct{ sweep }

// Kind names the job.
func (SweepStreams) Kind() string { return "sweep_streams" }

// SweepRagJobs fails rag jobs that no worker continues, and removes old ones.
type SweepRagJobs struct{ sweep }

// Kind names the job.
func (SweepRagJobs) Kind() string { return "sweep_rag_jobs" }

// MaintainLargeIndexes brings the indexes of large projects up to date.
type MaintainLargeIndexes struct{ sweep }

// Kind names the job.
func (MaintainLargeIndexes) Kind() string { return "maintain_large_indexes" }
