package jobargs

import (
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The queues. Parsing is work for the processor, so it must not hold up the rest. Those of
// vectors need a model, so that processes without one leave them alone.
const (
	QueueDefault = river.QueueDefault
	QueueIngest  = "ingest"
	QueueVectors = "vectors"
)

// Queues lists the queues, for `docqa work --queues`.
func Queues() []string { return []string{QueueDefault, QueueIngest, QueueVectors} }

// oneAtATime keeps a second job with the same arguments out while one waits or runs.
func oneAtATime() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateRunning, rivertype.JobStateScheduled,
	}}
}
