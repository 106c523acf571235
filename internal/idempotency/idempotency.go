package idempotency

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// Kept is how long an answer is stored: a request that is repeated later runs again.
//
// Source: docs/decisions.md#idempotency-keys.
const Kept = 24 * time.Hour

// Keeper stores answers. Safe for concurrent use.
type Keeper struct {
	clock  clock.Clock
	pepper []byte
}

// New returns a Keeper. Without pepper, somebody who reads the database and guesses a
// caller's key can decrypt the answer.
func New(c clock.Clock, pepper []byte) *Keeper { return &Keeper{clock: c, pepper: pepper} }

// Request is a request that may be repeated.
type Request struct {
	CompanyID string
	Scope     string // the operation and its target
	Key       string // the caller's; empty: the request always runs
	Body      any    // encoded as JSON; it must be the same when the request is repeated
}

// Once calls do within tx and stores its answer, or returns the stored answer of an earlier
// request; replayed is then true. Encoding do's answer as JSON and decoding it must not change
// it. Once returns apperr.Conflict idempotency_mismatch if the key came with another body.
func Once[T any](ctx context.Context, tx pgx.Tx, k *Keeper, r Request, do func() (T, error)) (answer T, replayed bool, err error) {
	if r.Key == "" {
		answer, err = do()
		return answer, false, err
	}
	at, err := k.place(r)
	if err != nil {
		return answer, false, err
	}
	now := k.clock.Now()
	claimed, err := dbsqlc.New().IdempotencyClaim(ctx, tx, dbsqlc.IdempotencyClaimParams{
		CompanyID: r.CompanyID, Scope: r.Scope, Key: at.key, RequestHash: at.request, Now: now, Before: now.Add(-Kept),
	})
	if err != nil {
		return answer, false, fmt.Errorf("claim an idempotency key: %w", err)
	}
	if claimed == 0 {
		return find[T](ctx, tx, k, r, at)
	}
	if answer, err = do(); err != nil {
		return answer, false, err
	}
	body, err := at.seal(answer)
	if err != nil {
		return answer, false, err
	}
	err = dbsqlc.New().IdempotencyFinish(ctx, tx, dbsqlc.IdempotencyFinishParams{
		Status: http.StatusOK, Body: body, CompanyID: r.CompanyID, Scope: r.Scope, Key: at.key,
	})
	if err != nil {
		return answer, false, fmt.Errorf("keep an answer: %w", err)
	}
	return answer, false, nil
}

// Find returns the stored answer of an earlier request. Callers use it to skip costly
// preparations; they must call Once all the same, since another request may come between.
func Find[T any](ctx context.Context, db dbsqlc.DBTX, k *Keeper, r Request) (answer T, found bool, err error) {
	if r.Key == "" {
		return answer, false, nil
	}
	at, err := k.place(r)
	if err != nil {
		return answer, false, err
	}
	return find[T](ctx, db, k, r, at)
}

func find[T any](ctx context.Context, db dbsqlc.DBTX, k *Keeper, r Request, at place) (answer T, found bool, err error) {
	row, err := dbsqlc.New().IdempotencyGet(ctx, db, dbsqlc.IdempotencyGetParams{
		CompanyID: r.CompanyID, Scope: r.Scope, Key: at.key, Before: k.clock.Now().Add(-Kept),
	})
	if store.IsNoRows(err) {
		return answer, false, nil
	}
	if err != nil {
		return answer, false, fmt.Errorf("read an idempotency key: %w", err)
	}
	if !hmac.Equal(row.RequestHash, at.request) {
		return answer, false, apperr.Conflict(apperr.CodeIdempotencyMismatch, "this Idempotency-Key was used with another body")
	}
	return answer, true, at.open(row.Body, &answer)
}

// place is the row of an answer and the keys that encrypt it.
type place struct {
	key     string // of the row
	request []byte // a keyed hash of the body
	sealer
}

// place derives the row's key and the encryption keys from the caller's key and the pepper.
// Neither can be computed from them.
func (k *Keeper) place(r Request) (place, error) {
	body, err := json.Marshal(r.Body)
	if err != nil {
		return place{}, fmt.Errorf("fingerprint a request: %w", err)
	}
	s, err := k.sealer(r)
	if err != nil {
		return place{}, err
	}
	mac := hmac.New(sha256.New, s.key("request"))
	mac.Write(body)
	return place{key: s.name(), request: mac.Sum(nil), sealer: s}, nil
}
