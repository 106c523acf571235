package outbox_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

type bundle struct {
	factory.Tenant
	store *store.Store
}

func setup(t *testing.T) *bundle {
	t.Helper()
	s := dbtest.New(t)
	return &bundle{store: s, Tenant: factory.NewTenant(t, s, factory.TenantOpts{})}
}

// archived is an event of the bundle's project.
func (b *bundle) archived() outbox.Event {
	return outbox.Event{
		Type: outbox.ProjectArchived, ProjectID: b.Project.ProjectID, ResourceType: "project", ResourceID: b.Project.ProjectID,
		ResourceName: "Manual", Summary: "archived the project", At: factory.Epoch(),
	}
}

// feed reads the events of the bundle's project, newest first.
func (b *bundle) feed(t *testing.T) []dbsqlc.ActivityEvent {
	t.Helper()
	rows, err := dbsqlc.New().ActivityListProject(b.Context(t.Context()), b.store.Ordered(), dbsqlc.ActivityListProjectParams{
		CompanyID: b.CompanyID, ProjectID: b.Project.ProjectID, RowLimit: 10,
	})
	require.NoError(t, err)
	return rows
}

func TestRecord_actor(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		by   *authn.Principal
		kind string
		id   *string
		name string
	}{
		"a person":              {&authn.Principal{Kind: authn.KindUser, UserID: "usr_1", Email: "ada@example.com"}, "user", new("usr_1"), "ada@example.com"},
		"an integration key":    {&authn.Principal{Kind: authn.KindKey, KeyID: "key_1"}, "key", new("key_1"), "API key"},
		"an embed key":          {&authn.Principal{Kind: authn.KindEmbed, KeyID: "key_2"}, "key", new("key_2"), "API key"},
		"a visitor":             {&authn.Principal{Kind: authn.KindShare}, "visitor", nil, "visitor"},
		"a RAG client":          {&authn.Principal{Kind: authn.KindRagService}, "system", nil, "system"},
		"a job, with no caller": {nil, "system", nil, "system"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			ctx := b.Context(t.Context())
			if tt.by != nil {
				ctx = store.AsCompany(authn.With(ctx, *tt.by), b.CompanyID)
			}
			require.NoError(t, outbox.Record(ctx, b.store.Pool(), b.CompanyID, b.archived()))
			rows := b.feed(t)
			require.Len(t, rows, 1)
			require.Equal(t, tt.kind, rows[0].ActorType)
			require.Equal(t, tt.id, rows[0].ActorID)
			require.Equal(t, tt.name, rows[0].ActorName)
			require.Equal(t, "project.archived", rows[0].Type)
			require.Equal(t, "Manual", rows[0].ResourceName)
			require.Equal(t, column.Strings{}, rows[0].Metadata)
			require.True(t, rows[0].CreatedAt.Equal(factory.Epoch()))
		})
	}
}

func TestRecord_transaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	failed := errors.New("the change failed")
	err := b.store.InTx(b.Context(t.Context()), func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, outbox.Record(ctx, tx, b.CompanyID, b.archived()))
		return failed
	})
	require.ErrorIs(t, err, failed)
	require.Empty(t, b.feed(t), "a change that was rolled back leaves no event")
}

// TestTypes_areInTheContract: clients read the types of events from the contract.
func TestTypes_areInTheContract(t *testing.T) {
	t.Parallel()
	contract, err := os.ReadFile("../../openapi/main.yaml")
	require.NoError(t, err)
	described := regexp.MustCompile("(?s)\n    ActivityEvent:.*?More may come").FindString(string(contract))
	require.NotEmpty(t, described)

	types := types(t)
	require.NotEmpty(t, types)
	for _, name := range types {
		require.Contains(t, described, "`"+name+"`")
	}
}

// types reads the constants of types.go.
func types(t *testing.T) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			name, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			names = append(names, name)
		}
		return true
	})
	return names
}
