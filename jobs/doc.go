// Package jobs works what package jobargs names: it registers the workers, their
// queues and the periodic jobs, and keeps the jobs of dead processes from waiting.
//
// It decides nothing about documents, the services do. Its invariants: an effect and
// the completion of its job are one transaction; an attempt that another one has
// overtaken has no effect; and a job whose process died is taken up again within a
// second or two.
package jobs
