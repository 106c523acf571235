package apitype

import (
	"fmt"
	"time"

	"github.com/go-faster/jx"
)

// layout is RFC 3339 with exactly three fractional digits. The zone is always Z, because times
// are converted to UTC before they are written.
const layout = "2006-01-02T15:04:05.000Z07:00"

// Timestamp is a point in time as the API shows it: UTC, cut to milliseconds.
// The zero value is the zero time.
//
// Source: main API section 2, timestamps.
type Timestamp time.Time //nolint:recvcheck // reading sets the value, everything else takes a copy

// NewTimestamp returns t in UTC, cut to milliseconds, so that a value compares
// equal to what a client reads back.
func NewTimestamp(t time.Time) Timestamp {
	return Timestamp(t.UTC().Truncate(time.Millisecond))
}

// Time returns the time in UTC.
func (t Timestamp) Time() time.Time { return time.Time(t).UTC() }

// String returns the timestamp as the API writes it.
func (t Timestamp) String() string { return t.Time().Format(layout) }

// Encode writes the timestamp as a JSON string.
func (t Timestamp) Encode(e *jx.Encoder) { e.Str(t.String()) }

// Decode reads a JSON string that holds any RFC 3339 time.
func (t *Timestamp) Decode(d *jx.Decoder) error {
	s, err := d.Str()
	if err != nil {
		return fmt.Errorf("read timestamp: %w", err)
	}
	return t.UnmarshalText([]byte(s))
}

// MarshalText returns the timestamp as the API writes it. It makes encoding/json write the
// same text as the generated code.
func (t Timestamp) MarshalText() ([]byte, error) {
	return t.Time().AppendFormat(nil, layout), nil
}

// UnmarshalText reads any RFC 3339 time, with or without a fraction and with any offset.
func (t *Timestamp) UnmarshalText(text []byte) error {
	parsed, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return fmt.Errorf("parse timestamp: %w", err)
	}
	*t = NewTimestamp(parsed)
	return nil
}
