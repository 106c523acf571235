package apikeys

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecret(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, kind := range []string{Integration, Embed} {
		for _, environment := range []string{Live, Test} {
			secret := newSecret(kind, environment)
			require.Regexp(t, `^(sk|embed)_(live|test)_[0-9A-Za-z]{40}$`, secret)
			gotKind, gotEnvironment, ok := parse(secret)
			require.True(t, ok)
			require.Equal(t, kind, gotKind)
			require.Equal(t, environment, gotEnvironment)
			require.True(t, Recognises(secret))
			require.False(t, seen[secret])
			seen[secret] = true
		}
	}
}

func TestParse_refuses(t *testing.T) {
	t.Parallel()
	good := newSecret(Integration, Live)
	flipped := []byte(good)
	flipped[20] = map[bool]byte{true: 'a', false: 'b'}[flipped[20] == 'b']
	for name, s := range map[string]string{
		"empty":              "",
		"prefix alone":       "sk_live_",
		"another prefix":     "pk_live_" + good[8:],
		"another kind":       "embed_live_" + good[8:],
		"another place":      "sk_test_" + good[8:],
		"one character off":  string(flipped),
		"too short":          good[:len(good)-1],
		"too long":           good + "a",
		"not base62":         good[:len(good)-1] + "-",
		"surrounding spaces": " " + good,
		"very long":          "sk_live_" + strings.Repeat("a", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, ok := parse(s)
			require.False(t, ok)
		})
	}
}

func TestHash_dependsOnThePepper(t *testing.T) {
	t.Parallel()
	require.Len(t, hash(nil, "a"), 32)
	require.NotEqual(t, hash(nil, "a"), hash([]byte("p"), "a"))
	require.NotEqual(t, hash([]byte("q"), "a"), hash([]byte("p"), "a"))
}

func FuzzParse(f *testing.F) {
	f.Add(newSecret(Integration, Live))
	f.Add("sk_live_")
	f.Fuzz(func(t *testing.T, s string) {
		kind, environment, ok := parse(s)
		if ok {
			require.True(t, strings.HasPrefix(s, prefix(kind, environment)))
		}
	})
}
