package jobargs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues. Reading files needs the processor and fetching pages waits for other servers,
// so each has a queue of its own and does not delay the other jobs. Jobs in QueueVectors need a
// model: processes without one do not work that queue.
const (
	QueueDefault = river.QueueDefault
	QueueFetch   = "fetch"
	QueueIngest  = "ingest"
	QueueVectors = "vectors"
)

// Queues lists the queues, for `docqa work --queues`.
func Queues() []string { return []string{QueueDefault, QueueFetch, QueueIngest, QueueVectors} }

// oneAtATime prevents a second job with the same arguments while one waits or runs.
func oneAtATime() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}
}
