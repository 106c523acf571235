package idp

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/sync/semaphore"
)

// The cost of a password: 19 MiB and two passes, on one core.
const (
	hashMemory = 19 << 10 // KiB
	hashPasses = 2
	hashBytes  = 32
	saltBytes  = 16
)

// hasher makes and checks password hashes, a few at a time, because each takes 19 MiB.
type hasher struct {
	slots *semaphore.Weighted
}

func newHasher() hasher { return hasher{slots: semaphore.NewWeighted(4)} }

// hash returns the hash of a password, as it is stored.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt)
	sum, err := h.derive(ctx, password, salt)
	if err != nil {
		return "", err
	}
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, hashMemory, hashPasses, encode(salt), encode(sum)), nil
}

// check tells whether the password belongs to the hash. The empty hash of an unknown account
// takes the same time and never matches.
func (h hasher) check(ctx context.Context, password, stored string) (bool, error) {
	salt, want := make([]byte, saltBytes), make([]byte, hashBytes)
	parts := strings.Split(stored, "$")
	if stored != "" {
		if len(parts) != 6 {
			return false, fmt.Errorf("a stored password hash has %d parts", len(parts))
		}
		var err error
		if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil {
			return false, err
		}
		if want, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil {
			return false, err
		}
	}
	sum, err := h.derive(ctx, password, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, want) == 1 && stored != "", nil
}

func (h hasher) derive(ctx context.Context, password string, salt []byte) ([]byte, error) {
	if err := h.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.slots.Release(1)
	return argon2.IDKey([]byte(password), salt, hashPasses, hashMemory, 1, hashBytes), nil
}
