package config_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/config"
)

func complete() map[string]string {
	return map[string]string{
		"DATABASE_URL": "postgres://app:pw@localhost/docqa", "S3_ENDPOINT": "http://localhost:9000", "S3_ACCESS_KEY": "a",
		"S3_SECRET_KEY": "b", "KEY_PEPPER": "0123456789abcdef0123456789abcdef",
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		set     map[string]string
		problem string // "" for a valid one
	}{
		{"complete", nil, ""},
		{"no database", map[string]string{"DATABASE_URL": ""}, "DATABASE_URL: is required"},
		{"a short pepper", map[string]string{"KEY_PEPPER": "short"}, "KEY_PEPPER: must have at least 32 characters"},
		{"an unknown environment", map[string]string{"ENVIRONMENT": "test"}, "ENVIRONMENT: must be dev, staging or production"},
		{"a number that is none", map[string]string{"TRUSTED_PROXIES": "two"}, "TRUSTED_PROXIES: is no whole number"},
		{"an origin with a path", map[string]string{"DASHBOARD_ORIGINS": "https://a.example/"}, "is not an origin"},
		{"objects among the service's own", map[string]string{"RAG_OBJECT_PREFIX": "documents/"}, "RAG_OBJECT_PREFIX: "},
		{"objects anywhere", map[string]string{"RAG_OBJECT_PREFIX": "/"}, "RAG_OBJECT_PREFIX: "},
		{"a sandbox of another kind", map[string]string{"SANDBOX": "none"}, "SANDBOX: must be strict or weak"},
		{"a CIDR that is none", map[string]string{"OUTBOUND_ALLOW_CIDRS": "10.0.0.0"}, "is not a CIDR"},
		{"a file that is missing", map[string]string{"MODELS_FILE": "/nonexistent"}, "MODELS_FILE: the file cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			environment := complete()
			maps.Copy(environment, c.set)
			cfg, problems := config.Load(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
			if c.problem == "" {
				require.Empty(t, problems)
				require.Equal(t, cfg.DatabaseURL, cfg.DatabaseMigrateURL)
				require.False(t, *cfg.EnableExtract)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], c.problem)
		})
	}
}

func TestLoad_namesEveryProblem(t *testing.T) {
	t.Parallel()
	environment := complete()
	maps.Copy(environment, map[string]string{"RATE_LIMIT_SCALE": "fast", "TRUSTED_PROXIES": "two", "ENVIRONMENT": "test"})
	_, problems := config.Load(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	require.ElementsMatch(t, []string{
		"RATE_LIMIT_SCALE: is no number", "TRUSTED_PROXIES: is no whole number", "ENVIRONMENT: must be dev, staging or production",
	}, problems)
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	environment := complete()
	cfg, _ := config.Load(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	for _, s := range config.Describe(cfg) {
		require.NotEmpty(t, s.Help, s.Name)
		if s.Name == "S3_SECRET_KEY" {
			require.Equal(t, "(set)", s.Value)
		}
	}
}

func TestLoad_namesEverythingAtOnce(t *testing.T) {
	t.Parallel()
	environment := complete()
	maps.Copy(environment, map[string]string{"TRUSTED_PROXIES": "two", "RATE_LIMIT_SCALE": "much", "KEY_PEPPER": "short"})
	_, problems := config.Load(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	require.ElementsMatch(t, []string{
		"TRUSTED_PROXIES: is no whole number", "RATE_LIMIT_SCALE: is no number", "KEY_PEPPER: must have at least 32 characters",
	}, problems)
}

func TestLoad_models(t *testing.T) {
	t.Parallel()
	load := func(t *testing.T, catalog, key string) (*config.Config, []string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "models.yaml")
		require.NoError(t, os.WriteFile(file, []byte(catalog), 0o600))
		environment := complete()
		maps.Copy(environment, map[string]string{"MODELS_FILE": file, "HOSTED_KEY": key})
		return config.Load(func(name string) (string, bool) { v, ok := environment[name]; return v, ok })
	}
	const catalog = "models: [{id: hosted, provider: openai, model: some-model, key_env: HOSTED_KEY}]"
	t.Run("with its key", func(t *testing.T) {
		t.Parallel()
		cfg, problems := load(t, catalog, "hidden-key")
		require.Empty(t, problems)
		require.True(t, cfg.Models.Has("hosted"))
		require.NotContains(t, fmt.Sprint(config.Describe(cfg)), "hidden-key")
	})
	t.Run("without it", func(t *testing.T) {
		t.Parallel()
		_, problems := load(t, catalog, "")
		require.Equal(t, []string{`MODELS_FILE: model "hosted": HOSTED_KEY is not set`}, problems)
	})
	t.Run("no catalog", func(t *testing.T) {
		t.Parallel()
		_, problems := load(t, "models: {", "")
		require.Len(t, problems, 1)
		require.Contains(t, problems[0], "MODELS_FILE: no catalog: ")
		require.NotContains(t, problems[0], "\n")
	})
	t.Run("unknown members", func(t *testing.T) {
		t.Parallel()
		_, problems := load(t, "models: [{id: a, provider: openai, model: b, key: c, keys: d}]", "")
		require.Equal(t, []string{
			"MODELS_FILE: no catalog: line 1: field key not found in type models.Model",
			"MODELS_FILE: no catalog: line 1: field keys not found in type models.Model",
		}, problems)
	})
}
