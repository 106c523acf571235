package tokentime_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/tokentime"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for payload, good := range map[string]bool{
		`{}`:                           true,
		`{"exp":0,"nbf":1,"iat":2}`:    true,
		`{"exp":1.5e9,"nbf":1.25}`:     true,
		`{"exp":253402300799}`:         true,
		`{"exp":253402300800}`:         false,
		`{"nbf":1e300}`:                false,
		`{"nbf":-1}`:                   false,
		`{"iat":"1"}`:                  false,
		`{"iat":null}`:                 false,
		`{"exp":[1]}`:                  false,
		`{"exp":1,"exp":1e300}`:        false,
		`{"exp":1,"EXP":1e300}`:        false, // Go's JSON decoder ignores the case of names
		`{"exp":99999999999999999999}`: false,
		`[]`:                           false,
		`not JSON`:                     false,
	} {
		token := "e30." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
		require.Equal(t, good, tokentime.Check(token) == nil, payload)
	}
	for _, token := range []string{"", ".", "a.b.c", "e30.=.x"} {
		require.Error(t, tokentime.Check(token))
	}
}
