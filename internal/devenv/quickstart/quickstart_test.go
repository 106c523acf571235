package quickstart_test

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/devenv/quickstart"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

func TestMain(m *testing.M) { blobtest.Main(m) }

func examples() fstest.MapFS {
	return fstest.MapFS{"leave.md": {Data: []byte("# Leave\n\nEvery employee has 28 days of annual leave. Leave is requested in the staff portal.\n")}}
}

// options returns options with a new project.
func options(t *testing.T, env *apitest.Env) quickstart.Options {
	t.Helper()
	company := env.Company(t, "pro")
	project := company.Project(t)
	return quickstart.Options{
		BaseURL: env.URL, Token: company.Owner.Token, Email: company.Owner.Email, ProjectID: project.ProjectID,
		Key: company.Key(t, project.ProjectID, apikeys.Integration, apikeys.Live), Documents: examples(), Out: &bytes.Buffer{}, Clock: env.Clock,
		Questions: []quickstart.Question{
			{Mode: "json", Question: "How many days of annual leave does an employee have?", Answerable: true, Document: "leave.md"},
			{Mode: "stream", Question: "Which zebras live in Kenya?"},
		},
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{Objects: blobtest.New(t)})
	env.Work(t)

	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		opts := options(t, env)
		var first, second bytes.Buffer
		opts.Out = &first
		require.NoError(t, quickstart.Run(t.Context(), opts))
		require.Contains(t, first.String(), "uploaded  leave.md")
		require.Contains(t, first.String(), "leave: “Every employee has 28 days of annual leave.”")
		opts.Out = &second
		require.NoError(t, quickstart.Run(t.Context(), opts))
		require.NotContains(t, second.String(), "uploaded")
	})
	t.Run("an unexpected answer", func(t *testing.T) {
		t.Parallel()
		opts := options(t, env)
		opts.Questions[0].Answerable = false
		require.ErrorContains(t, quickstart.Run(t.Context(), opts), "was answered")
	})
	t.Run("an answer without the fact", func(t *testing.T) {
		t.Parallel()
		opts := options(t, env)
		opts.Questions[0].Contains = "29 days"
		require.ErrorContains(t, quickstart.Run(t.Context(), opts), "lacks")
	})
	t.Run("other documents in the project", func(t *testing.T) {
		t.Parallel()
		opts := options(t, env)
		owner := &apitest.User{Token: opts.Token}
		env.Upload(t, owner, opts.ProjectID, "damaged.pdf", "%PDF-1.7\nnothing more")
		env.Upload(t, owner, opts.ProjectID, "zebras.txt", "Grevy's zebras live in Kenya. They live in the north of Kenya.")
		require.NoError(t, quickstart.Run(t.Context(), opts))
	})
	t.Run("an example that fails", func(t *testing.T) {
		t.Parallel()
		opts := options(t, env)
		opts.Documents = fstest.MapFS{"damaged.pdf": {Data: []byte("%PDF-1.7\nnothing more")}}
		require.ErrorContains(t, quickstart.Run(t.Context(), opts), "damaged.pdf could not be ingested")
	})
}
