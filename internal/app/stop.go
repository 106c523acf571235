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

	// softStopShare is the part of the time for a stop, in percent, after which running
	// jobs are cancelled: what is left is for them to say so.
	softStopShare = 80

	// lastWords is the end of the time for a stop, in which streams are told of it and what
	// is nearly done is stored; at most a fifth of the whole.
	lastWords = 2 * time.Second
)

// Stop ends the process's work, also where ctx has ended: it is not ready any more, goes on
// answering for DRAIN_TIME, closes the listener, lets requests, streams and jobs end for
// SHUTDOWN_TIMEOUT, and closes everything.
//
// Source: docs/decisions.md#stopping; docs/adr/0022-stopping.md.
func (a *App) Stop(ctx context.Context) error {
	drain := a.cfg.DrainTime
	if a.api == nil {
		drain = 0 // nobody would be sent here
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

// leaving has clients that keep a connection come back by another one, while this process
// still takes requests and is about to stop: it may be another process's.
func (a *App) leaving(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.stopping.Load() {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

// stopServing closes the listener of the API and lets its requests end. Shortly before the
// end of SHUTDOWN_TIMEOUT those that are left hear that the process stops: streams by an
// error frame, at once. Answers that are being written may end in half of the time that is
// left then, and be stored; the rest of it is to say what became of them.
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

// shutdown lets the requests of s end, and cuts off those that have not when ctx ends.
func shutdown(ctx context.Context, s *http.Server) error {
	if err := s.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("wait for requests: %w", err), s.Close())
	}
	return nil
}

// closeOps ends the health checks, last: until then they say that the process is not ready.
func (a *App) closeOps() error {
	if a.ops == nil {
		return nil
	}
	return a.ops.Close()
}

// closeStore gives back the connections; what still holds one ends with the process.
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

// closeModels frees the models, unless the time is over: then an answer may still be reading a question.
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
