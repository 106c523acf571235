package idp

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// key signs tokens; its public half verifies them.
type key struct {
	id      string
	private *rsa.PrivateKey
}

// ID returns the key's id.
func (k key) ID() string { return k.id }

// SignatureAlgorithm is RS256.
func (k key) SignatureAlgorithm() jose.SignatureAlgorithm { return jose.RS256 }

// Key returns the private key.
func (k key) Key() any { return k.private }

// publicKey is the published half of a key.
type publicKey struct{ key }

// Algorithm is RS256.
func (k publicKey) Algorithm() jose.SignatureAlgorithm { return jose.RS256 }

// Use is signing.
func (k publicKey) Use() string { return "sig" }

// Key returns the public key.
func (k publicKey) Key() any { return &k.private.PublicKey }

// ensureKey makes a signing key if there is none.
func ensureKey(ctx context.Context, tx pgx.Tx, now time.Time) error {
	var there bool
	if err := tx.QueryRow(ctx, "select exists (select from idp.signing_keys)").Scan(&there); err != nil || there {
		return err
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "insert into idp.signing_keys (id, private_key, created_at) values ($1, $2, $3)", rand.Text(), der, now)
	return err
}

// loadKeys returns all keys, the newest first. The newest one signs.
func loadKeys(ctx context.Context, pool *pgxpool.Pool) ([]key, error) {
	rows, err := pool.Query(ctx, "select id, private_key from idp.signing_keys order by created_at desc")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (key, error) {
		var k key
		var der []byte
		if err := row.Scan(&k.id, &der); err != nil {
			return key{}, err
		}
		parsed, err := x509.ParsePKCS8PrivateKey(der)
		if err != nil {
			return key{}, fmt.Errorf("signing key %s: %w", k.id, err)
		}
		private, ok := parsed.(*rsa.PrivateKey)
		if !ok {
			return key{}, errors.New("a signing key is not RSA")
		}
		k.private = private
		return k, nil
	})
}
