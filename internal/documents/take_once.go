package documents

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/store"
)

// scope is what an idempotency key is unique in.
func (t *taking) scope(project dbsqlc.Project) string {
	return "rag_" + t.kind + ":" + project.ProjectID
}

// fingerprint tells whether two calls asked for the same.
func (t *taking) fingerprint() ([]byte, error) {
	text, err := json.Marshal(t.sources)
	if err != nil {
		return nil, fmt.Errorf("fingerprint the request: %w", err)
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// earlier returns what an earlier call with the same idempotency key has begun; ok is
// false where there was none. apperr.Conflict where that one asked for something else.
//
// Source: gaps section 0 (Idempotency).
func (s *Service) earlier(ctx context.Context, db dbsqlc.DBTX, project dbsqlc.Project, t *taking) (taken Taken, ok bool, err error) {
	if t.key == "" {
		return Taken{}, false, nil
	}
	row, err := s.q.IdempotencyGet(ctx, db, dbsqlc.IdempotencyGetParams{CompanyID: project.CompanyID, Scope: t.scope(project), Key: t.key})
	if store.IsNoRows(err) {
		return Taken{}, false, nil
	}
	if err != nil {
		return Taken{}, false, fmt.Errorf("read an idempotency key: %w", err)
	}
	request, err := t.fingerprint()
	if err != nil {
		return Taken{}, false, err
	}
	if string(row.RequestHash) != string(request) {
		return Taken{}, false, apperr.Conflict("idempotency_mismatch", "this Idempotency-Key was used with another body")
	}
	if err := json.Unmarshal(row.Body, &taken); err != nil {
		return Taken{}, false, fmt.Errorf("read a kept answer: %w", err)
	}
	taken.Replayed = true
	return taken, true, nil
}

// remember keeps the answer for a repeated call, under the company's lock.
func (s *Service) remember(ctx context.Context, db dbsqlc.DBTX, project dbsqlc.Project, t *taking, taken Taken) error {
	if t.key == "" {
		return nil
	}
	request, err := t.fingerprint()
	if err != nil {
		return err
	}
	body, err := json.Marshal(taken)
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	_, err = s.q.IdempotencyClaim(ctx, db, dbsqlc.IdempotencyClaimParams{
		CompanyID: project.CompanyID, Scope: t.scope(project), Key: t.key, RequestHash: request, Now: s.Clock.Now(),
	})
	if err == nil {
		err = s.q.IdempotencyFinish(ctx, db, dbsqlc.IdempotencyFinishParams{
			Status: http.StatusAccepted, Body: body, CompanyID: project.CompanyID, Scope: t.scope(project), Key: t.key,
		})
	}
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}
