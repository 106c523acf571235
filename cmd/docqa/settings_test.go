package main_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// complete are settings with which a start continues until it connects.
func complete() map[string]string {
	return map[string]string{
		"DATABASE_URL": "postgres://app:hidden-password@127.0.0.1:1/docqa", "S3_ENDPOINT": "http://127.0.0.1:1",
		"S3_ACCESS_KEY": "access", "S3_SECRET_KEY": "secret", "KEY_PEPPER": strings.Repeat("p", 32), "OPS_ADDR": "off",
	}
}

func TestSettings_Wrong(t *testing.T) {
	t.Parallel()
	noPEM := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(noPEM, []byte("no certificate"), 0o600))
	cases := map[string]struct {
		set  map[string]string
		want []string // the beginnings of the lines, in the order of the settings
	}{
		"nothing is set":                  {map[string]string{"DATABASE_URL": "", "S3_ENDPOINT": "", "S3_ACCESS_KEY": "", "S3_SECRET_KEY": "", "KEY_PEPPER": ""}, []string{"DATABASE_URL: is required", "S3_ENDPOINT: is required", "S3_ACCESS_KEY: is required", "S3_SECRET_KEY: is required", "KEY_PEPPER: is required"}},
		"a number that is none":           {map[string]string{"TRUSTED_PROXIES": "two"}, []string{"TRUSTED_PROXIES: "}},
		"two that do not parse":           {map[string]string{"RATE_LIMIT_SCALE": "much", "SHUTDOWN_TIMEOUT": "soon"}, []string{"RATE_LIMIT_SCALE: ", "SHUTDOWN_TIMEOUT: "}},
		"a database that is no URL":       {map[string]string{"DATABASE_URL": "mysql://hidden-password@x/y"}, []string{"DATABASE_URL: must be a postgres:// URL"}},
		"an unknown environment":          {map[string]string{"ENVIRONMENT": "test"}, []string{"ENVIRONMENT: must be dev, staging or production"}},
		"a short secret":                  {map[string]string{"KEY_PEPPER": "hidden-password"}, []string{"KEY_PEPPER: must have at least 32 characters"}},
		"a keyset that is none":           {map[string]string{"ENCRYPTION_KEYSET": "hidden-password"}, []string{"ENCRYPTION_KEYSET: "}},
		"an authority that is none":       {map[string]string{"OUTBOUND_CA_FILE": noPEM}, []string{"OUTBOUND_CA_FILE: "}},
		"a provider without a client":     {map[string]string{"IDP_ISSUER": "https://issuer.example"}, []string{"IDP_CLIENT_ID: is required with IDP_ISSUER"}},
		"an address that is none":         {map[string]string{"ADDR": "8080"}, []string{"ADDR: "}},
		"origins, networks, environments": {map[string]string{"DASHBOARD_ORIGINS": "x", "OUTBOUND_ALLOW_CIDRS": "10.0.0.1", "KEY_ENVIRONMENTS": "beta"}, []string{"DASHBOARD_ORIGINS: ", "KEY_ENVIRONMENTS: ", "OUTBOUND_ALLOW_CIDRS: "}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := complete()
			maps.Copy(settings, c.set)
			for _, args := range [][]string{{"serve"}, {"work"}, {"migrate"}, {"check-config"}} {
				e := run(t, settings, args...)
				require.Equal(t, 2, e.code, "%v: %s", args, e.errOut)
				require.Len(t, e.lines(), len(c.want), "%v: %s", args, e.errOut)
				for i, line := range e.lines() {
					require.True(t, strings.HasPrefix(line, c.want[i]), "%v: %q, want %q", args, line, c.want[i])
				}
				require.NotContains(t, e.errOut+e.out, "hidden-password", "a secret is shown")
			}
		})
	}
}

func TestCheckConfig(t *testing.T) {
	t.Parallel()
	t.Run("prints every setting", func(t *testing.T) {
		t.Parallel()
		e := run(t, complete(), "check-config")
		require.Zero(t, e.code, e.errOut)
		require.Empty(t, e.lines())
		require.Contains(t, e.out, "SHUTDOWN_TIMEOUT")
		require.NotContains(t, e.out, "hidden-password")
	})
	t.Run("as JSON", func(t *testing.T) {
		t.Parallel()
		settings := complete()
		delete(settings, "KEY_PEPPER")
		e := run(t, settings, "check-config", "--json")
		require.Equal(t, 2, e.code)
		var doc struct {
			Settings []struct{ Name, Default, Value, Help string }
			Problems []string
		}
		require.NoError(t, json.Unmarshal([]byte(e.out), &doc), e.out)
		require.Equal(t, []string{"KEY_PEPPER: is required"}, doc.Problems)
		require.Greater(t, len(doc.Settings), 40)
	})
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"nonsense"}, {"serve", "--nonsense"}, {"serve", "--services", "nothing"}, {"dev", "--port", "x"}} {
		e := run(t, complete(), args...)
		require.Equal(t, 2, e.code, "%v: %s", args, e.errOut)
		require.Contains(t, e.errOut, "docqa: ", "%v", args)
	}
}
