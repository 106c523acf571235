package embedding_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/embedding"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// bundle is a project of 160 chunks and a server of embedding models.
type bundle struct {
	factory.Tenant
	t     *testing.T
	store *store.Store
	host  *modelhost.Host
}

func setup(t *testing.T) *bundle {
	t.Helper()
	r := &bundle{t: t, store: dbtest.New(t), host: modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)}
	r.Tenant = factory.NewTenant(t, r.store, factory.TenantOpts{})
	for i := range 2 {
		r.document(fmt.Sprintf("%d.txt", i), 80)
	}
	_, err := r.store.Pool().Exec(r.ctx(), `insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks, updated_at)
		values ($1, $2, 160, 0, '{}', '{}', 160, $3)`, r.CompanyID, r.project(), factory.Epoch())
	require.NoError(t, err)
	return r
}

func (r *bundle) ctx() context.Context { return r.Context(r.t.Context()) }

func (r *bundle) project() string { return r.Project.ProjectID }

// document has a page a chunk.
func (r *bundle) document(name string, chunks int) {
	pages := make([]string, chunks)
	for i := range pages {
		pages[i] = fmt.Sprintf("Page %d of %s speaks about the grinder. It weighs %d kilograms.", i, name, i)
	}
	factory.Document(r.t, r.store, r.Tenant, r.project(), name, pages...)
}

func (r *bundle) model(name string) embed.Embedder {
	r.t.Helper()
	s, err := models.ParseEmbedding("openai:" + r.host.URL + "#" + name)
	require.NoError(r.t, err)
	e, err := embed.Open(r.t.Context(), s, embed.Options{Client: http.DefaultClient})
	require.NoError(r.t, err)
	return e
}

func (r *bundle) service(embedders ...embed.Embedder) *embedding.Service {
	return embedding.New(embedding.Deps{Store: r.store, Models: search.NewModels(embedders...), Clock: clock.Fixed(factory.Epoch())})
}

func (r *bundle) active() string {
	r.t.Helper()
	row, err := dbsqlc.New().ProjectVectorModel(r.ctx(), r.store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: r.CompanyID, ProjectID: r.project()})
	require.NoError(r.t, err)
	return row.VectorModel
}

// count tells how many chunks have both kinds of vectors of the model.
func (r *bundle) count(model string) (n int) {
	r.t.Helper()
	err := r.store.Pool().QueryRow(r.ctx(), `select count(*) from chunk_vectors join chunk_sentences using (company_id, project_id, chunk_id, model)
		where model = $1`, model).Scan(&n)
	require.NoError(r.t, err)
	return n
}

// ragJob starts a rag job that a reindex to the model reports to.
func (r *bundle) ragJob(model string) jobargs.ReindexProject {
	r.t.Helper()
	job := jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), JobID: ids.New(ids.Job), Model: model}
	require.NoError(r.t, dbsqlc.New().RagJobCreate(r.ctx(), r.store.Pool(), dbsqlc.RagJobCreateParams{
		CompanyID: job.CompanyID, ProjectID: job.ProjectID, JobID: job.JobID, Type: "reindex", Model: &job.Model, Total: 160, Now: factory.Epoch(),
	}))
	return job
}

// progress returns how many chunks the rag job reports as done.
func (r *bundle) progress() (done int) {
	r.t.Helper()
	require.NoError(r.t, r.store.Pool().QueryRow(r.ctx(), "select done from rag_jobs").Scan(&done))
	return done
}

func (r *bundle) ragJobStatus() (status string) {
	r.t.Helper()
	require.NoError(r.t, r.store.Pool().QueryRow(r.ctx(), "select status from rag_jobs").Scan(&status))
	return status
}

func (r *bundle) stamp() (at string) {
	r.t.Helper()
	require.NoError(r.t, r.store.Pool().QueryRow(r.ctx(), "select updated_at::text from project_lexstats").Scan(&at))
	return at
}

func TestReindex_switchesOnce(t *testing.T) {
	t.Parallel()
	r := setup(t)
	s := r.service(r.model("a@1"), r.model("b"))
	before := r.stamp()
	require.NoError(t, s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: ""}, jobargs.Attempt{}))
	require.Equal(t, "a@1", r.active(), "the default")
	require.Equal(t, 160, r.count("a@1"))
	require.NotEqual(t, before, r.stamp(), "searches notice")

	job, steps, claims := r.ragJob("b"), []int{}, 0
	require.NoError(t, s.Reindex(r.ctx(), job, jobargs.Attempt{
		Yield: func(context.Context) error {
			require.Equal(t, "a@1", r.active(), "the old vectors answer") //nolint:contextcheck // the bundle has the test's own
			require.Equal(t, 160, r.count("a@1"))                         //nolint:contextcheck // as above
			if len(steps) == 1 {
				r.document("late.txt", 10) //nolint:contextcheck // as above
			}
			steps = append(steps, r.progress()) //nolint:contextcheck // as above
			return nil
		},
		Claim: func(ctx context.Context, tx pgx.Tx) error {
			claims++
			var model string
			require.NoError(t, tx.QueryRow(ctx, "select vector_model from project_lexstats").Scan(&model))
			require.Equal(t, "b", model)
			return nil
		},
	}))
	require.Equal(t, []int{16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 160}, steps, "page by page")
	require.Equal(t, 1, claims)
	require.Equal(t, "completed", r.ragJobStatus())
	require.Equal(t, "b", r.active())
	require.Equal(t, 170, r.count("b"), "what came meanwhile as well")
	require.Zero(t, r.count("a@1"))

	require.NoError(t, s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "a"}, jobargs.Attempt{}), "named without its digest")
	require.Equal(t, "a@1", r.active())
}

func TestReindex_waitsForChunksThatCameLast(t *testing.T) {
	t.Parallel()
	r := setup(t)
	rounds := 0
	require.NoError(t, r.service(r.model("a")).Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "a"}, jobargs.Attempt{
		Yield: func(context.Context) error {
			if rounds == 0 && r.count("a") == 160 { //nolint:contextcheck // the bundle has the test's own // after the last page was read
				rounds++
				r.document("late.txt", 3) //nolint:contextcheck // the bundle has the test's own
				// a chunk id below those that were read: the ids of a slow ingestion
				_, err := r.store.Pool().Exec(r.ctx(), "delete from chunk_vectors where chunk_id = (select min(chunk_id) from chunks)") //nolint:contextcheck // as above
				require.NoError(t, err)
			}
			return nil
		},
	}))
	require.Equal(t, 163, r.count("a"))
	require.Equal(t, "a", r.active())
}

func TestReindex_goesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	r := setup(t)
	s := r.service(r.model("a"))
	require.NoError(t, s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "a"}, jobargs.Attempt{}))
	b := r.service(r.model("b"))
	stop := errors.New("the process stops")
	require.ErrorIs(t, b.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "b"}, jobargs.Attempt{
		Yield: func(context.Context) error { return stop },
	}), stop)
	require.Equal(t, 16, r.count("b"))
	require.Equal(t, "a", r.active())
	require.Equal(t, 160, r.count("a"))

	r.host.Become(modelhost.Script{Refusals: []int{503, 503, 503}})
	err := b.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "b"}, jobargs.Attempt{})
	require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))
	require.Equal(t, "a", r.active())

	asked := len(r.host.Requests())
	require.NoError(t, b.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "b"}, jobargs.Attempt{}))
	texts := 0
	for _, request := range r.host.Requests()[asked:] {
		for _, text := range request.Body["input"].([]any) {
			if strings.Contains(text.(string), "\nPage") {
				texts++
			}
		}
	}
	require.Equal(t, 144, texts, "what was made is not made again")
	require.Equal(t, "b", r.active())
	require.Zero(t, r.count("a"))
}

func TestReindex_stopsWhenTheRagJobIsCanceled(t *testing.T) {
	t.Parallel()
	r := setup(t)
	s := r.service(r.model("a"))
	require.NoError(t, s.Reindex(r.ctx(), r.ragJob("a"), jobargs.Attempt{
		Yield: func(context.Context) error {
			_, err := r.store.Pool().Exec(r.ctx(), "update rag_jobs set status = 'canceled', completed_at = now()") //nolint:contextcheck // the bundle has the test's own
			return err
		},
	}))
	require.Equal(t, 32, r.count("a"), "the page after the cancelation is the last one")
	require.Empty(t, r.active())
}

func TestReindex_refuses(t *testing.T) {
	t.Parallel()
	r := setup(t)
	s := r.service(r.model("a"))
	err := s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "other"}, jobargs.Attempt{})
	require.EqualValues(t, "unknown_model", apperr.CodeOf(err))
	err = s.Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: "prj_gone", Model: "a"}, jobargs.Attempt{})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	other := factory.NewTenant(t, r.store, factory.TenantOpts{})
	err = s.Reindex(other.Context(t.Context()), jobargs.ReindexProject{CompanyID: other.CompanyID, ProjectID: r.project(), Model: "a"}, jobargs.Attempt{})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err), "a foreign project does not exist")
	require.Zero(t, r.count("a"))
}

func TestBuildAll_findsProjectsThatLackVectors(t *testing.T) {
	t.Parallel()
	r := setup(t)
	inserter, err := jobs.NewInserter(r.store.Pool().Pool, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	jobsOf := func() (n int) {
		require.NoError(t, r.store.Pool().QueryRow(t.Context(), "select count(*) from river_job where kind = 'build_vectors'").Scan(&n))
		return n
	}
	none := embedding.New(embedding.Deps{Store: r.store, Models: nil, Clock: clock.System()})
	require.NoError(t, none.BuildAll(t.Context(), inserter))
	require.Zero(t, jobsOf())
	require.NoError(t, none.Build(r.ctx(), jobargs.BuildVectors{CompanyID: r.CompanyID, ProjectID: r.project()}, jobargs.Attempt{}))

	s := r.service(r.model("a"), r.model("b"))
	require.NoError(t, s.BuildAll(t.Context(), inserter))
	require.NoError(t, s.BuildAll(t.Context(), inserter))
	require.Equal(t, 1, jobsOf(), "one that waits is enough")
	require.NoError(t, s.Build(r.ctx(), jobargs.BuildVectors{CompanyID: r.CompanyID, ProjectID: r.project()}, jobargs.Attempt{}))
	require.Equal(t, "a", r.active())
	_, err = r.store.Pool().Exec(t.Context(), "delete from river_job")
	require.NoError(t, err)

	require.NoError(t, r.service(r.model("b"), r.model("a")).BuildAll(t.Context(), inserter))
	require.Zero(t, jobsOf(), "a model that the process has will do")
	require.NoError(t, r.service(r.model("c")).BuildAll(t.Context(), inserter))
	require.Equal(t, 1, jobsOf(), "the project's model is gone")
}

// short is a model whose vectors have two dimensions.
type short struct{}

func (short) Model() string   { return "a" }
func (short) Dimensions() int { return 2 }
func (short) Close() error    { return nil }

func (short) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

func TestRegister_refusesOtherDimensions(t *testing.T) {
	t.Parallel()
	r := setup(t)
	require.NoError(t, search.NewModels(r.model("a")).Register(t.Context(), r.store))
	require.NoError(t, search.NewModels(r.model("a")).Register(t.Context(), r.store))
	require.NoError(t, search.NewModels(short{}).Register(t.Context(), r.store), "none of its vectors is stored")
	require.NoError(t, search.NewModels(r.model("a")).Register(t.Context(), r.store))
	require.NoError(t, r.service(r.model("a")).Reindex(r.ctx(), jobargs.ReindexProject{CompanyID: r.CompanyID, ProjectID: r.project(), Model: "a"}, jobargs.Attempt{}))
	err := search.NewModels(short{}).Register(t.Context(), r.store)
	require.ErrorContains(t, err, "the model a has 2 dimensions, and 64 when its vectors were stored")
	require.Equal(t, 160, r.count("a"))
	require.Equal(t, "a", r.active())
}
