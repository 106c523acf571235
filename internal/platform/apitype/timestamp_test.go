package apitype_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/go-faster/jx"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apitype"
)

func TestTimestampReadsAnyRFC3339AndWritesMilliseconds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ in, want string }{
		"no fraction":       {`"2026-01-31T09:15:02Z"`, `"2026-01-31T09:15:02.000Z"`},
		"milliseconds":      {`"2026-01-31T09:15:02.123Z"`, `"2026-01-31T09:15:02.123Z"`},
		"one digit":         {`"2026-01-31T09:15:02.5Z"`, `"2026-01-31T09:15:02.500Z"`},
		"nanoseconds cut":   {`"2026-01-31T09:15:02.123999999Z"`, `"2026-01-31T09:15:02.123Z"`},
		"offset turned UTC": {`"2026-01-31T01:15:02.1-08:00"`, `"2026-01-31T09:15:02.100Z"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var native, std apitype.Timestamp
			require.NoError(t, native.Decode(jx.DecodeStr(tc.in)))
			require.NoError(t, json.Unmarshal([]byte(tc.in), &std))
			require.Equal(t, native, std)

			var e jx.Encoder
			native.Encode(&e)
			require.JSONEq(t, tc.want, e.String())
			written, err := json.Marshal(std)
			require.NoError(t, err)
			require.JSONEq(t, tc.want, string(written))
		})
	}
}

func TestTimestampRefusesOtherText(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`""`, `"yesterday"`, `"2026-01-31"`, `"2026-01-31T09:15:02"`, `1738314902`, `null`} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			var got apitype.Timestamp
			require.Error(t, got.Decode(jx.DecodeStr(in)))
		})
	}
}

func TestNewTimestampIsWhatAClientReadsBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 10, 15, 2, 123456789, time.FixedZone("", 3600))
	stamp := apitype.NewTimestamp(at)
	require.Equal(t, "2026-01-31T09:15:02.123Z", stamp.String())
	var back apitype.Timestamp
	require.NoError(t, back.UnmarshalText([]byte(stamp.String())))
	require.True(t, stamp.Time().Equal(back.Time()))
}
