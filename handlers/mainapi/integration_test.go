package mainapi_test

import (
	"go/format"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

func TestGetIntegrationInfo(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "getIntegrationInfo")
	company := env.Company(t, "pro")
	project := company.Project(t)
	path := func(projectID string) string { return projectPath(projectID) + "/integration" }
	get := apitest.Call{Method: http.MethodGet, Path: path(project.ProjectID), As: company.Owner}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		a := env.Do(t, get).Require(t, http.StatusOK)
		require.Equal(t, project.ProjectID, a.Text(t, "projectId"))
		require.Equal(t, "https://api.example.com/v1/chat", a.Text(t, "endpoint"))
		require.Equal(t, "https://api.example.com/v1/chat/stream", a.Text(t, "streamEndpoint"))
		require.Equal(t, "X-Service-Key", a.Text(t, "authHeader"))
		require.Equal(t, "https://api.example.com/openapi/main.yaml", a.Text(t, "docsUrl"))
		require.Contains(t, a.Text(t, "embedSnippet"), `data-project-id="`+project.ProjectID+`"`)
		for _, language := range []string{"curl", "javascript", "python", "go"} {
			sample := a.Text(t, "samples."+language)
			require.Contains(t, sample, "https://api.example.com/v1/chat", language)
			require.Contains(t, sample, "X-Service-Key", language)
			require.NotContains(t, sample, "ENDPOINT", language)
			require.NotContains(t, sample, "AUTH_HEADER", language)
		}
		formatted, err := format.Source([]byte(a.Text(t, "samples.go")))
		require.NoError(t, err)
		require.Equal(t, string(formatted), a.Text(t, "samples.go"))
	})
	t.Run("200 with the prefix of the key in use", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		call := get
		call.Path = path(p.ProjectID)
		require.Nil(t, env.Do(t, call).Require(t, http.StatusOK).Get(t, "keyPrefix"))
		company.Key(t, p.ProjectID, "embed", "live")
		require.Nil(t, env.Do(t, call).Get(t, "keyPrefix"))
		secrets := []string{company.Key(t, p.ProjectID, "integration", "test"), company.Key(t, p.ProjectID, "integration", "live")}
		company.Key(t, p.ProjectID, "integration", "test")
		a := env.Do(t, call).Require(t, http.StatusOK)
		require.True(t, strings.HasPrefix(secrets[1], a.Text(t, "keyPrefix")))
		require.NotContains(t, string(a.Body), secrets[1])
		env.Do(t, apitest.Call{Method: http.MethodPost, Path: projectPath(p.ProjectID) + "/keys/rotate", As: company.Owner, Body: object{}}).Require(t, http.StatusOK)
		require.False(t, strings.HasPrefix(secrets[1], env.Do(t, call).Text(t, "keyPrefix")))
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		env.AccessRefusals(t, get, path)
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		call := get
		call.As = company.Member(t, authn.RoleMember)
		env.Do(t, call).RequireError(t, http.StatusForbidden, "role_required")
	})
}
