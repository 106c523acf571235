package streams

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

const lookEvery = 200 * time.Millisecond

// State is how far a streamed answer is.
type State struct {
	dbsqlc.AnswerStreamGetRow
}

// Stored tells whether the answer is finished and stored.
func (s *State) Stored() bool { return s.Content != nil }

// Failure returns why the answer will never be stored, or nil if it may still be.
func (s *State) Failure() error {
	if s.ErrorCode != "" {
		return apperr.New(apperr.KindProviderFailed, apperr.Code(s.ErrorCode), s.ErrorMessage)
	}
	if s.SilentSeconds > Abandoned.Seconds() {
		return apperr.New(apperr.KindUnavailable, apperr.CodeUnavailable, "the answer was broken off, ask again")
	}
	return nil
}

// Find reads an answer of a project. It waits for an answer that began a moment ago, as that
// may not have been written yet. Error: NotFound for an unknown answer, one of another company,
// and one that is too old to be resumed.
func (k *Keeper) Find(ctx context.Context, companyID, projectID, messageID string) (State, error) {
	for {
		state, err := k.Get(ctx, companyID, projectID, messageID, 0)
		if apperr.KindOf(err) != apperr.KindNotFound || !k.mayAppear(messageID) {
			return state, err
		}
		if err := Pause(ctx); err != nil {
			return State{}, err
		}
	}
}

// mayAppear tells whether the id was made just now. Ids contain their time.
func (k *Keeper) mayAppear(messageID string) bool {
	age := k.clock.Now().Sub(ids.Time(messageID))
	return age > -MayAppear && age < MayAppear
}

// Get reads an answer without its first seen code points. Error: NotFound, as Find.
func (k *Keeper) Get(ctx context.Context, companyID, projectID, messageID string, seen int) (State, error) {
	row, err := dbsqlc.New().AnswerStreamGet(ctx, k.store.Pool(), dbsqlc.AnswerStreamGetParams{
		CompanyID: companyID, ProjectID: projectID, MessageID: messageID, First: int32(min(seen, 1<<30) + 1),
		BeganAfter: k.clock.Now().Add(-Kept),
	})
	if store.IsNoRows(err) {
		return State{}, apperr.NotFound()
	}
	if err != nil {
		return State{}, fmt.Errorf("read stream %s: %w", messageID, err)
	}
	return State{row}, nil
}

// Pause waits until the caller should read again. It fails if ctx ends before.
func Pause(ctx context.Context) error { return pause(ctx, lookEvery) }

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Sweep deletes the streams of all companies that can no longer be resumed, and the leases of
// dead processes.
func Sweep(ctx context.Context, s *store.Store, c clock.Clock) error {
	ctx = store.AsSystem(ctx, "streams of every company expire")
	if _, err := dbsqlc.New().StreamLeasesSweep(ctx, s.Pool()); err != nil {
		return fmt.Errorf("sweep the streams of dead processes: %w", err)
	}
	if _, err := dbsqlc.New().AnswerStreamSweep(ctx, s.Pool(), c.Now().Add(-Kept)); err != nil {
		return fmt.Errorf("sweep streams: %w", err)
	}
	return nil
}
