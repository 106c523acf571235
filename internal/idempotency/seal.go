package idempotency

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// keyLength is the length of every derived key in bytes.
const keyLength = 32

// sealer encrypts answers. Its secret is derived from the pepper, the caller's idempotency
// key, the company and the scope.
type sealer struct{ secret []byte }

func (k *Keeper) sealer(r Request) (sealer, error) {
	material := append([]byte(r.CompanyID+"\x00"+r.Scope+"\x00"+r.Key+"\x00"), k.pepper...)
	secret, err := hkdf.Extract(sha256.New, material, []byte("docqa idempotency"))
	if err != nil {
		return sealer{}, fmt.Errorf("derive from an idempotency key: %w", err)
	}
	return sealer{secret: secret}, nil
}

// key derives the key for one use.
func (s sealer) key(use string) []byte {
	key, err := hkdf.Expand(sha256.New, s.secret, use, keyLength)
	if err != nil {
		panic(err) // it fails only for a length that is too large
	}
	return key
}

// name returns the key of the row.
func (s sealer) name() string { return base64.RawURLEncoding.EncodeToString(s.key("name")) }

func (s sealer) box() (cipher.AEAD, error) {
	block, err := aes.NewCipher(s.key("box"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (s sealer) seal(answer any) ([]byte, error) {
	plain, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("keep an answer: %w", err)
	}
	box, err := s.box()
	if err != nil {
		return nil, fmt.Errorf("seal an answer: %w", err)
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce) // never fails: the runtime ends the process instead
	return box.Seal(nonce, nonce, plain, nil), nil
}

func (s sealer) open(sealed []byte, answer any) error {
	box, err := s.box()
	if err != nil {
		return fmt.Errorf("open a sealed answer: %w", err)
	}
	if len(sealed) < box.NonceSize() {
		return errors.New("open a sealed answer: too short")
	}
	plain, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], nil)
	if err != nil {
		return fmt.Errorf("open a sealed answer: %w", err)
	}
	if err := json.Unmarshal(plain, answer); err != nil {
		return fmt.Errorf("read a kept answer: %w", err)
	}
	return nil
}
