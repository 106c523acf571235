package projects_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/projects"
)

func TestService_Deploy(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, userID := b.companyWithProject(t, "free")
	for _, status := range []string{"indexed", "uploaded", "failed", "pending"} {
		b.document(ctx, t, p, status)
	}
	d, err := b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
	require.NoError(t, err)
	require.Equal(t, projects.Indexing, d.Project.Status)
	require.Equal(t, 4, d.Documents)
	require.Equal(t, 2, d.Started)
	require.Equal(t, b.clock.Now(), d.Project.LastDeployedAt.UTC())
	require.True(t, strings.HasPrefix(d.DeploymentID, "dep_"))
	require.True(t, strings.HasPrefix(d.Keys.Integration.Secret, "sk_live_"))
	require.True(t, strings.HasPrefix(d.Keys.Embed.Secret, "embed_live_"))

	again, err := b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
	require.NoError(t, err)
	require.Equal(t, projects.Indexing, again.Project.Status)
	require.Equal(t, 0, again.Started)
	require.Equal(t, d.Keys.Integration.Key.KeyID, again.Keys.Integration.Key.KeyID)
	require.Empty(t, again.Keys.Integration.Secret)
	require.Empty(t, again.Keys.Embed.Secret)

	_, err = b.store.Pool().Exec(ctx, "update documents set status = 'indexed' where company_id = $1", p.CompanyID)
	require.NoError(t, err)
	live, err := b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
	require.NoError(t, err)
	require.Equal(t, projects.Live, live.Project.Status)
	b.document(ctx, t, p, "uploaded")
	live, err = b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
	require.NoError(t, err)
	require.Equal(t, projects.Live, live.Project.Status)
	require.Equal(t, 1, live.Started)
}

func TestService_Deploy_WithoutDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, userID := b.companyWithProject(t, "free")
	d, err := b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
	require.NoError(t, err)
	require.Equal(t, projects.Live, d.Project.Status)
}

func TestService_Deploy_Blockers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	change := func(sql string) func(*testing.T, context.Context, dbsqlc.Project) {
		return func(t *testing.T, ctx context.Context, p dbsqlc.Project) {
			t.Helper()
			_, err := b.store.Pool().Exec(ctx, sql, p.CompanyID)
			require.NoError(t, err)
		}
	}
	tests := map[string]struct {
		arrange func(*testing.T, context.Context, dbsqlc.Project)
		blocker string
	}{
		"failed documents alone": {
			func(t *testing.T, ctx context.Context, p dbsqlc.Project) {
				t.Helper()
				b.document(ctx, t, p, "failed")
			}, "no_failed_documents",
		},
		"model gone": {change("update projects set chat_model_arn = 'gone' where company_id = $1"), "model_available"},
		"plan exceeded": {
			func(t *testing.T, ctx context.Context, p dbsqlc.Project) {
				t.Helper()
				b.document(ctx, t, p, "indexed")
				change("update documents set size_bytes = 600::bigint << 20 where company_id = $1")(t, ctx, p)
			}, "plan_limits",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, p, userID := b.companyWithProject(t, "free")
			tt.arrange(t, ctx, p)
			_, err := b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID)
			require.EqualValues(t, "not_ready", apperr.CodeOf(err))
			refused, ok := errors.AsType[*apperr.Error](err)
			require.True(t, ok)
			require.Equal(t, []string{tt.blocker}, refused.Blockers)
			require.Equal(t, projects.Draft, b.stored(ctx, t, p).Status)
		})
	}
}

func TestService_Deploy_AtOnceIssuesOnePair(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, userID := b.companyWithProject(t, "free")
	const n = 6
	deployments, errs := make([]projects.Deployment, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { deployments[i], errs[i] = b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, userID) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	withSecret := 0
	for _, d := range deployments {
		require.Equal(t, deployments[0].Keys.Integration.Key.KeyID, d.Keys.Integration.Key.KeyID)
		if d.Keys.Integration.Secret != "" {
			withSecret++
		}
	}
	require.Equal(t, 1, withSecret)
}
