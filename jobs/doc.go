// Package jobs works the jobs that package jobargs names: it registers the workers, their
// queues and the periodic jobs, and requeues the jobs of dead processes.
//
// It decides nothing about documents; the services do. Its invariants: the effect of a job and
// its completion are one transaction; an overtaken attempt has no effect; and a job whose
// process died runs again within a second or two.
package jobs
