package apikeys

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"strings"
)

// The kinds of keys.
const (
	Integration = "integration"
	Embed       = "embed"
)

// The environments of keys. A test key answers from a fixture.
const (
	Live = "live"
	Test = "test"
)

const (
	randomLength   = 34
	checksumLength = 6
	bodyLength     = randomLength + checksumLength
	shownLength    = 4
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// prefix returns what the secrets of a kind and environment start with.
//
// Source: main API section 5 rule 2.
func prefix(kind, environment string) string {
	if kind == Embed {
		return "embed_" + environment + "_"
	}
	return "sk_" + environment + "_"
}

// parse splits a secret; ok is false where its form or its checksum is wrong.
func parse(secret string) (kind, environment string, ok bool) {
	for _, kind := range []string{Integration, Embed} {
		for _, environment := range []string{Live, Test} {
			p := prefix(kind, environment)
			body, found := strings.CutPrefix(secret, p)
			if !found {
				continue
			}
			return kind, environment, len(body) == bodyLength && checksum(p+body[:randomLength]) == body[randomLength:]
		}
	}
	return "", "", false
}

// Recognises tells whether s has the prefix of a key: it says nothing of its worth.
func Recognises(s string) bool {
	return strings.HasPrefix(s, "sk_") || strings.HasPrefix(s, "embed_")
}

// newSecret returns a fresh secret. Its last characters are a checksum, so that
// secret scanners, and parse, tell a key from noise without asking anyone.
func newSecret(kind, environment string) string {
	var b strings.Builder
	p := prefix(kind, environment)
	b.WriteString(p)
	for _, c := range randomDigits(randomLength) {
		b.WriteByte(base62[c])
	}
	return b.String() + checksum(b.String())
}

// randomDigits returns n uniform digits of base 62: bytes above the largest multiple
// of 62 are thrown away, they would favour the first digits.
func randomDigits(n int) []byte {
	digits := make([]byte, 0, n)
	buf := make([]byte, 2*n)
	for len(digits) < n {
		_, _ = rand.Read(buf) // never fails: the runtime ends the process instead
		for _, c := range buf {
			if c < 248 && len(digits) < n {
				digits = append(digits, c%62)
			}
		}
	}
	return digits
}

func checksum(s string) string {
	n := crc32.ChecksumIEEE([]byte(s))
	out := make([]byte, checksumLength) // 62^6 is more than 2^32
	for i := range out {
		out[checksumLength-1-i] = base62[n%62]
		n /= 62
	}
	return string(out)
}

// hash returns what is stored of a secret: an HMAC under the pepper, so that a stolen
// table cannot be searched without it.
func hash(pepper []byte, secret string) []byte {
	if len(pepper) == 0 {
		sum := sha256.Sum256([]byte(secret))
		return sum[:]
	}
	mac := hmac.New(sha256.New, pepper)
	mac.Write([]byte(secret))
	return mac.Sum(nil)
}
