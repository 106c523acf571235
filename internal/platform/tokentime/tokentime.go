package tokentime

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// latest is the last second of the year 9999.
const latest = 253402300799

var (
	errMalformed = errors.New("the token is malformed")
	errTime      = errors.New("a time of the token is no number of seconds since 1970")
)

// Check fails if exp, nbf or iat of a token is present and is not a number from 0 to the end
// of the year 9999. Fractions are allowed.
func Check(token string) error {
	_, rest, _ := strings.Cut(token, ".")
	payload, _, _ := strings.Cut(rest, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return errMalformed
	}
	// The members are decoded by the same names and rules as in the libraries, so that the
	// values checked here are those that the libraries read.
	var times struct {
		Expiry    json.RawMessage `json:"exp"`
		NotBefore json.RawMessage `json:"nbf"`
		IssuedAt  json.RawMessage `json:"iat"`
	}
	if err := json.Unmarshal(text, &times); err != nil {
		return errMalformed
	}
	for _, value := range []json.RawMessage{times.Expiry, times.NotBefore, times.IssuedAt} {
		if value != nil && !sensible(string(value)) {
			return errTime
		}
	}
	return nil
}

func sensible(value string) bool {
	seconds, err := strconv.ParseFloat(value, 64) // refuses texts, true, null and lists
	return err == nil && seconds >= 0 && seconds <= latest
}
