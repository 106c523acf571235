package jobs

import (
	"time"

	"github.com/riverqueue/river"

	"docqa/jobs/jobargs"
)

// periodic returns the periodic jobs. River elects one process as the leader, which inserts them.
func periodic(deps Deps) []*river.PeriodicJob {
	every := func(d time.Duration, args river.JobArgs) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(d), func() (river.JobArgs, *river.InsertOpts) { return args, nil },
			&river.PeriodicJobOpts{RunOnStart: true})
	}
	list := []*river.PeriodicJob{
		every(time.Minute, jobargs.SweepDocuments{}),
		every(5*time.Minute, jobargs.SweepStreams{}),
		every(10*time.Minute, jobargs.SweepRateLimits{}),
		every(time.Hour, jobargs.SweepIdempotency{}),
		every(10*time.Minute, jobargs.SweepRagJobs{}),
	}
	if deps.Vectors != nil {
		list = append(list, every(time.Hour, jobargs.BuildAllVectors{}))
	}
	if deps.LargeIndexer != nil {
		list = append(list, every(10*time.Minute, jobargs.MaintainLargeIndexes{}))
	}
	return list
}
