package apikeys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
)

// once issues a key for the first call with an idempotency key, and answers the same
// for the next ones. All of it is one transaction: a call at the same time waits for
// the first, and a failed one leaves nothing.
//
// Source: gaps section 0 (Idempotency).
func (s *Service) once(ctx context.Context, tx pgx.Tx, companyID, projectID string, in Input, issue func() (Issued, error)) (Issued, error) {
	if in.IdempotencyKey == "" {
		return issue()
	}
	q, scope := dbsqlc.New(), "keys:"+projectID
	request := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", in.Kind, in.Environment, in.Label))
	claimed, err := q.IdempotencyClaim(ctx, tx, dbsqlc.IdempotencyClaimParams{
		CompanyID: companyID, Scope: scope, Key: in.IdempotencyKey, RequestHash: request[:], Now: s.clock.Now(),
	})
	if err != nil {
		return Issued{}, fmt.Errorf("claim an idempotency key: %w", err)
	}
	if claimed == 0 {
		row, err := q.IdempotencyGet(ctx, tx, dbsqlc.IdempotencyGetParams{CompanyID: companyID, Scope: scope, Key: in.IdempotencyKey})
		if err != nil {
			return Issued{}, fmt.Errorf("read an idempotency key: %w", err)
		}
		if string(row.RequestHash) != string(request[:]) {
			return Issued{}, apperr.Conflict("idempotency_mismatch", "this Idempotency-Key was used with another body")
		}
		return s.replay(ctx, tx, companyID, projectID, in.IdempotencyKey, row.Body)
	}
	issued, err := issue()
	if err != nil {
		return Issued{}, err
	}
	body, err := s.seal(in.IdempotencyKey, stored{KeyID: issued.Key.KeyID, Secret: issued.Secret})
	if err != nil {
		return Issued{}, err
	}
	err = q.IdempotencyFinish(ctx, tx, dbsqlc.IdempotencyFinishParams{
		Status: http.StatusCreated, Body: body, CompanyID: companyID, Scope: scope, Key: in.IdempotencyKey,
	})
	if err != nil {
		return Issued{}, fmt.Errorf("finish an idempotency key: %w", err)
	}
	return issued, nil
}

// stored is what a replay needs. It is sealed: a secret is never in the database in clear.
type stored struct {
	KeyID  string `json:"keyId"`
	Secret string `json:"secret"`
}

func (s *Service) replay(ctx context.Context, tx pgx.Tx, companyID, projectID, idempotencyKey string, body []byte) (Issued, error) {
	was, err := s.open(idempotencyKey, body)
	if err != nil {
		return Issued{}, err
	}
	key, err := dbsqlc.New().KeyGet(ctx, tx, dbsqlc.KeyGetParams{CompanyID: companyID, ProjectID: projectID, KeyID: was.KeyID})
	if err != nil {
		return Issued{}, fmt.Errorf("read a key: %w", err)
	}
	return Issued{Key: key, Secret: was.Secret, Replayed: true}, nil
}

// box derives a cipher that needs both the pepper and the caller's idempotency key.
func (s *Service) box(idempotencyKey string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, append([]byte(idempotencyKey+"\x00"), s.opts.Pepper...), nil, "docqa idempotent key", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (s *Service) seal(idempotencyKey string, v stored) ([]byte, error) {
	box, err := s.box(idempotencyKey)
	if err != nil {
		return nil, fmt.Errorf("seal an answer: %w", err)
	}
	plain, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("seal an answer: %w", err)
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails: the runtime ends the process instead
	return box.Seal(nonce, nonce, plain, nil), nil
}

func (s *Service) open(idempotencyKey string, sealed []byte) (v stored, err error) {
	box, err := s.box(idempotencyKey)
	if err != nil {
		return v, fmt.Errorf("open a sealed answer: %w", err)
	}
	if len(sealed) < box.NonceSize() {
		return v, errors.New("open a sealed answer: too short")
	}
	plain, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], nil)
	if err != nil {
		return v, fmt.Errorf("open a sealed answer: %w", err)
	}
	return v, json.Unmarshal(plain, &v)
}
