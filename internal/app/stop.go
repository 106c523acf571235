package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"docqa/internal/platform/apperr"
)

const (
	closeTimeout = 2 * time.Second

	// softStopShare is the part of the time for a stop, in percent, after which running jobs
	// are cancelled. In the rest of the time they store that they were cancelled.
	softStopShare = 80

	// lastWords is the last part of the time for a stop: streams get an error frame, and answers
	// that are nearly done are stored. It is at most a fifth of the whole.
	lastWords = 2 * time.Second
)

// Stop ends the work of the process, also if ctx has ended. The process is not ready any more,
// answers for another DRAIN_TIME, closes the listener, waits up to SHUTDOWN_TIMEOUT for
// requests, streams and jobs, and closes everything.
//
// Source: docs/decisions.md#stopping; docs/adr/0022-stopping.md.
func (a *App) Stop(ctx context.Context) error {
	drain := a.cfg.DrainTime
	if a.api == nil {
		drain = 0 // this process serves no API, so no load balancer sends it requests
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain+a.cfg.ShutdownTimeout)
	defer cancel()
	a.stopping.Store(true)
	var working sync.WaitGroup
	var worked error
	if a.runner != nil {
		working.Go(func() { worked = a.runner.Stop(ctx) })
	}
	<-time.After(drain)
	a.stopServing(ctx)
	working.Wait()
	a.keys.Wait(ctx)
	a.answers.Wait(ctx)
	a.people.Close()
	return errors.Join(worked, a.closeOps(), a.closeStore(), a.closeModels(ctx))
}

// leaving asks clients to close their connection while this process is about to stop. Their
// next connection may lead to another process.
func (a *App) leaving(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// stopServing closes the listener of the API and waits for its requests. Shortly before the end
// of SHUTDOWN_TIMEOUT it tells the remaining ones that the process stops; streams get an error
// frame at once. Answers that are being written have half of the remaining time to end and be
// stored; the rest of the time is for notifying their clients.
func (a *App) stopServing(ctx context.Context) {
	if a.api == nil {
		return
	}
	words := min(lastWords, a.cfg.ShutdownTimeout/5)
	tell := time.AfterFunc(a.cfg.ShutdownTimeout-words, func() { a.endRequests(apperr.ShuttingDown()) })
	defer tell.Stop()
	cut := time.AfterFunc(a.cfg.ShutdownTimeout-words/2, func() { a.answers.Cut(apperr.ShuttingDown()) })
	defer cut.Stop()
	waiting, cancel := context.WithTimeout(ctx, a.cfg.ShutdownTimeout-words/4)
	defer cancel()
	if err := shutdown(waiting, a.api); err != nil {
		a.log.WarnContext(ctx, "requests were cut off: they did not end in time", "error", err)
	}
}

// shutdown waits for the requests of s. When ctx ends it closes the connections of those that
// still run.
func shutdown(ctx context.Context, s *http.Server) error {
	if err := s.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("wait for requests: %w", err), s.Close())
	}
	return nil
}

// closeOps ends the health checks. Until then /readyz answers that the process is not ready.
func (a *App) closeOps() error {
	if a.ops == nil {
		return nil
	}
	return a.ops.Close()
}

// closeStore closes the connections. It waits only for a bounded time for one that is in use.
func (a *App) closeStore() error {
	if !a.ownsStore {
		return nil
	}
	closed := make(chan struct{})
	go func() { a.store.Close(); close(closed) }()
	select {
	case <-closed:
		return nil
	case <-time.After(closeTimeout):
		return errors.New("connections to the database are still in use")
	}
}

// closeModels frees the models, unless ctx has ended: then an answer may still use them.
func (a *App) closeModels(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		if !a.ownsModels {
			return a.reranker.Close()
		}
		return errors.Join(a.models.Close(), a.reranker.Close())
	}
}
