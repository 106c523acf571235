// Package cursor makes the opaque page cursors of the API: a JSON value with a signature,
// valid for 24 hours. A changed or invented string is refused.
//
// Source: main API section 9 rule 2; docs/decisions.md#lists-and-cursors.
package cursor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
)

const (
	lifetime = 24 * time.Hour
	macBytes = 12
)

// Codec encodes and decodes cursors.
type Codec struct {
	key   []byte
	clock clock.Clock
}

// New returns a codec that signs with key.
func New(key []byte, c clock.Clock) *Codec { return &Codec{key: key, clock: c} }

// Encode returns the cursor that holds v.
func (c *Codec) Encode(v any) (string, error) {
	body, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(c.clock.Now().Unix()))
	data = append(data, body...)
	return base64.RawURLEncoding.EncodeToString(append(c.mac(data), data...)), nil
}

// Decode reads a cursor into v. A changed, invented or expired one is a 400 invalid_cursor.
func (c *Codec) Decode(s string, v any) error {
	invalid := apperr.Invalid(apperr.CodeInvalidCursor, "the cursor is not valid")
	raw, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(raw) < macBytes+4 {
		return invalid
	}
	data := raw[macBytes:]
	if !hmac.Equal(c.mac(data), raw[:macBytes]) {
		return invalid
	}
	made := time.Unix(int64(binary.BigEndian.Uint32(data)), 0)
	if c.clock.Now().Sub(made) > lifetime {
		return invalid
	}
	if err := json.Unmarshal(data[4:], v); err != nil {
		return invalid
	}
	return nil
}

func (c *Codec) mac(data []byte) []byte {
	h := hmac.New(sha256.New, c.key)
	h.Write([]byte("cursor\x00"))
	h.Write(data)
	return h.Sum(nil)[:macBytes]
}
