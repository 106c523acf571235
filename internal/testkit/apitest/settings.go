package apitest

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/config"
	"docqa/internal/platform/models"
	"docqa/internal/platform/secretbox"
	"docqa/internal/testkit/idptest"
)

// config returns the settings of the service. Database, storage and models are passed in; if a
// test leaves one out, its setting is an address that nobody serves.
func (e *Env) config(t *testing.T, opts Options) *config.Config {
	t.Helper()
	settings := map[string]string{
		"ENVIRONMENT": config.EnvironmentDev, "BASE_URL": BaseURL, "DASHBOARD_ORIGINS": DashboardOrigin, "OPS_ADDR": "off",
		"DATABASE_URL": opts.Store.Pool().Config().ConnString(), "KEY_PEPPER": secret, "SHARE_TOKEN_SECRET": secret,
		"IDP_PROVIDER": "test", "IDP_ISSUER": e.IDP.URL, "IDP_CLIENT_ID": idptest.ClientID, "IDP_USER_POOL_ID": "pool",
		"IDP_REGION": "eu-central-1", "IDP_DOMAIN": "sign-in", "IDP_REDIRECT_URI": DashboardOrigin + "/callback",
		"S3_ENDPOINT": "http://127.0.0.1:1", "S3_ACCESS_KEY": "access", "S3_SECRET_KEY": "secret",
		"OUTBOUND_ALLOW_CIDRS": strings.Join(opts.AllowCIDRs, ","), "RAG_OBJECT_PREFIX": SharedPrefix, "RAG_SERVICE_KEYS": RagKey,
		"RATE_LIMIT_SCALE": "1e6", "INGEST_WORKERS": "2", "DRAIN_TIME": "0s", "SHUTDOWN_TIMEOUT": "10s",
	}
	if opts.RateLimitScale != 0 {
		settings["RATE_LIMIT_SCALE"] = strconv.FormatFloat(opts.RateLimitScale, 'g', -1, 64)
	}
	if opts.WithoutRagKey {
		delete(settings, "RAG_SERVICE_KEYS")
	}
	if !opts.WithoutKeyset {
		keyset, err := secretbox.GenerateKeyset()
		require.NoError(t, err)
		settings["ENCRYPTION_KEYSET"] = keyset
	}
	maps.DeleteFunc(settings, func(_, v string) bool { return v == "" })
	cfg, problems := config.Load(func(name string) (string, bool) { v, ok := settings[name]; return v, ok })
	require.Empty(t, problems)
	cfg.Models = models.New(models.Model{ID: models.Extractive}, models.Model{ID: OtherModel})
	return cfg
}
