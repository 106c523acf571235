package jobargs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues. Reading files is work for the processor and fetching pages waits for others'
// servers, so neither may hold up the rest. Those of vectors need a model, so that processes
// without one leave them alone.
const (
	QueueDefault = river.QueueDefault
	QueueFetch   = "fetch"
	QueueIngest  = "ingest"
	QueueVectors = "vectors"
)

// Queues lists the queues, for `docqa work --queues`.
func Queues() []string { return []string{QueueDefault, QueueFetch, QueueIngest, QueueVectors} }

// oneAtATime keeps a second job with the same arguments out while one waits or runs.
func oneAtATime() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}
}
