package jobargs

import "github.com/riverqueue/river"

// sweep is a job that comes again and again and has no arguments.
type sweep struct{}

// InsertOpts are the job's defaults: the next one comes anyway, so a failed one is not
// repeated for long.
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

// SweepIdempotency removes answers that are kept for repeated requests and have expired.
type SweepIdempotency struct{ sweep }

// Kind names the job.
func (SweepIdempotency) Kind() string { return "sweep_idempotency" }

// SweepStreams removes what is kept of streamed answers that can no longer be resumed.
type SweepStreams struct{ sweep }

// Kind names the job.
func (SweepStreams) Kind() string { return "sweep_streams" }

// SweepServiceJobs ends services' jobs that nobody works and removes old ones.
type SweepServiceJobs struct{ sweep }

// Kind names the job.
func (SweepServiceJobs) Kind() string { return "sweep_service_jobs" }

// PromoteProjects brings the indexes of large projects up to date.
type PromoteProjects struct{ sweep }

// Kind names the job.
func (PromoteProjects) Kind() string { return "promote_projects" }
