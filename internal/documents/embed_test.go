package documents_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/embedtest"
	"docqa/internal/engine/sentvec"
	"docqa/internal/fakes/modelhost"
	"docqa/internal/models"
	"docqa/internal/provider/embed"
	"docqa/internal/vectors"
)

// with has documents ingested by a process with these models; nil: none.
func (f *fixture) with(m *vectors.Models) {
	f.t.Helper()
	f.ingest = documents.NewIngester(documents.IngesterOptions{
		Store: f.store, Objects: f.objects, Clock: f.clock, Parser: f.parser, Logger: slog.New(slog.DiscardHandler),
		Jobs: f.jobs, Vectors: m, TempDir: f.t.TempDir(),
	})
}

// hosted is a model of a server.
func hosted(t *testing.T, h *modelhost.Host, name string) embed.Embedder {
	t.Helper()
	s, err := models.ParseEmbedding("openai:" + h.URL + "#" + name)
	require.NoError(t, err)
	e, err := embed.Open(t.Context(), s, embed.Options{Client: http.DefaultClient})
	require.NoError(t, err)
	return e
}

func (f *fixture) vectorModel(t *testing.T) dbsqlc.ProjectVectorModelRow {
	t.Helper()
	row, err := dbsqlc.New().ProjectVectorModel(f.ctx(), f.store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: f.CompanyID, ProjectID: f.project()})
	require.NoError(t, err)
	return row
}

// vectors counts the chunks that have vectors of the model, with and without their sentences.
func (f *fixture) vectors(t *testing.T, model string) (whole, sentences int) {
	t.Helper()
	err := f.store.Pool().QueryRow(f.ctx(), `select count(*), count(s.chunk_id) from chunk_vectors v
		left join chunk_sentences s using (company_id, project_id, chunk_id, model) where v.model = $1`, model).Scan(&whole, &sentences)
	require.NoError(t, err)
	return whole, sentences
}

func TestIngester_Ingest_VectorsOfTheInstalledModel(t *testing.T) {
	t.Parallel()
	f := setup(t)
	m := embedtest.Models(t)
	f.with(m)
	const text = "The grinder weighs four kilograms. It has a warranty of two years. The manual is on our site."
	d := f.indexed(t, "coffee_grinder.txt", text)
	require.Equal(t, m.Default(), f.vectorModel(t).VectorModel, "the first ingestion chooses the model")
	require.False(t, f.vectorModel(t).VectorsPartial)
	whole, sentences := f.vectors(t, m.Default())
	require.Equal(t, []int{int(d.ChunkCount), int(d.ChunkCount)}, []int{whole, sentences})

	var packed []byte
	require.NoError(t, f.store.Pool().QueryRow(f.ctx(), "select vectors from chunk_sentences").Scan(&packed))
	question, err := m.Query(t.Context(), m.Default(), "How long is it guaranteed?")
	require.NoError(t, err)
	scores := sentvec.Cosines(packed, question)
	require.Len(t, scores, 3)
	best := scores[1]
	require.Equal(t, "It has a warranty of two years.", text[best.Start:best.End])
	require.Greater(t, best.Cosine, scores[0].Cosine)
	require.Greater(t, best.Cosine, scores[2].Cosine)

	again := f.indexed(t, "second.txt", essay("kettle"))
	whole, _ = f.vectors(t, m.Default())
	require.Equal(t, int(d.ChunkCount+again.ChunkCount), whole)
	require.Empty(t, f.jobsOf(t, "build_vectors"))
}

func TestIngester_Ingest_ChoosesTheModel(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	first, second := hosted(t, h, "first"), hosted(t, h, "second")

	t.Run("chunks from before the model wait for a job", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.indexed(t, "old.txt", essay("grinder"))
		require.Empty(t, f.vectorModel(t).VectorModel)
		f.with(vectors.New(first))
		d := f.indexed(t, "new.txt", essay("kettle"))
		require.Empty(t, f.vectorModel(t).VectorModel, "some chunks have no vectors yet")
		require.True(t, f.vectorModel(t).VectorsPartial)
		whole, _ := f.vectors(t, "first")
		require.Equal(t, int(d.ChunkCount), whole)
		require.Len(t, f.jobsOf(t, "build_vectors"), 1)
	})
	t.Run("the project's own, if it is there", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(vectors.New(second))
		f.indexed(t, "old.txt", essay("grinder"))
		f.with(vectors.New(first, second))
		f.indexed(t, "new.txt", essay("kettle"))
		require.Equal(t, "second", f.vectorModel(t).VectorModel)
		whole, _ := f.vectors(t, "first")
		require.Zero(t, whole)
	})
	t.Run("else the default, and a job", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(vectors.New(second))
		f.indexed(t, "old.txt", essay("grinder"))
		f.with(vectors.New(first))
		d := f.indexed(t, "new.txt", essay("kettle"))
		require.Equal(t, "second", f.vectorModel(t).VectorModel)
		require.True(t, f.vectorModel(t).VectorsPartial)
		whole, _ := f.vectors(t, "first")
		require.Equal(t, int(d.ChunkCount), whole)
		require.Len(t, f.jobsOf(t, "build_vectors"), 1)
	})
	t.Run("a process without models leaves a job to the others", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(vectors.New(first))
		f.indexed(t, "old.txt", essay("grinder"))
		f.with(nil)
		f.indexed(t, "new.txt", essay("kettle"))
		require.True(t, f.vectorModel(t).VectorsPartial)
		require.Len(t, f.jobsOf(t, "build_vectors"), 1)
	})
}

// hooked calls a function before it reads.
type hooked struct {
	embed.Embedder
	before func()
}

func (h hooked) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	h.before()
	return h.Embedder.Embed(ctx, texts)
}

func TestIngester_Ingest_ModelSwitchedMeanwhile(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	first, second := hosted(t, h, "first"), hosted(t, h, "second")
	f.with(vectors.New(first))
	f.indexed(t, "old.txt", essay("grinder"))

	switched := false
	all := vectors.New(hooked{first, func() {
		if !switched {
			switched = true
			s := vectors.NewService(f.store, vectors.New(second), f.clock)
			require.NoError(t, s.Reindex(f.ctx(), f.CompanyID, f.project(), "second", vectors.Reindexing{}))
		}
	}}, second)
	f.with(all)
	f.indexed(t, "new.txt", essay("kettle"))
	require.True(t, switched)
	require.Equal(t, "second", f.vectorModel(t).VectorModel)
	whole, sentences := f.vectors(t, "second")
	require.Equal(t, []int{int(f.chunks(t)), int(f.chunks(t))}, []int{whole, sentences})
	whole, _ = f.vectors(t, "first")
	require.Zero(t, whole)
	require.Equal(t, int32(3), f.claimed.Load(), "the overtaken transaction was rolled back")
}

func TestIngester_Ingest_EmbeddingFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script    modelhost.Script
		last      bool
		code      string // empty: it is tried again
		retryable bool
	}{
		"the server is away":             {script: modelhost.Script{Refusals: []int{503, 503, 503}}},
		"the server is away, last":       {script: modelhost.Script{Refusals: []int{503, 503, 503}}, last: true, code: "embedding_failed", retryable: true},
		"the server answers nonsense":    {script: modelhost.Script{End: modelhost.Nonsense}},
		"the server refuses the text":    {script: modelhost.Script{Refusals: []int{400}}, code: "embedding_failed"},
		"the server refuses our own key": {script: modelhost.Script{Refusals: []int{401}}, code: "embedding_failed", retryable: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
			f.with(vectors.New(hosted(t, h, "m")))
			d := f.uploaded(t, "a.txt", essay("grinder"))
			h.Become(c.script)
			attempt := f.attempt()
			attempt.Last = c.last
			err := f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), attempt)
			d = f.get(t, d.DocumentID)
			require.Zero(t, f.chunks(t))
			if c.code == "" {
				require.Error(t, err)
				require.Equal(t, "processing", d.Status)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "failed", d.Status)
			require.Equal(t, c.code, *d.ErrorCode)
			require.Equal(t, c.retryable, *d.ErrorRetryable)

			h.Become(modelhost.Script{})
			require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), f.attempt()))
			require.Equal(t, "indexed", f.get(t, d.DocumentID).Status)
		})
	}
}

func TestIngester_Ingest_OldVersionAnswersWhileTheModelFails(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	f.with(vectors.New(hosted(t, h, "m")))
	d := f.indexed(t, "a.txt", essay("grinder"))
	before, _ := f.vectors(t, "m")
	_, err := f.Reprocess(f.ctx(), f.CompanyID, f.project(), d.DocumentID)
	require.NoError(t, err)
	h.Become(modelhost.Script{Refusals: []int{400}})
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	require.Equal(t, "failed", f.get(t, d.DocumentID).Status)
	after, _ := f.vectors(t, "m")
	require.Equal(t, before, after)
	require.NotEmpty(t, f.search(t, "warranty"))
}

func TestIngester_Ingest_NoTimeForVectors(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	f.with(vectors.New(hosted(t, h, "m")))
	d := f.uploaded(t, "a.txt", essay("grinder"))
	f.parser.before = func() error { f.clock.Advance(11 * time.Minute); return nil }
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), f.attempt()))
	require.Equal(t, "indexed", f.get(t, d.DocumentID).Status, "its words are found before the published deadline")
	require.NotEmpty(t, f.search(t, "warranty"))
	whole, _ := f.vectors(t, "m")
	require.Zero(t, whole)
	require.Len(t, f.jobsOf(t, "build_vectors"), 1, "its vectors follow")

	s := vectors.NewService(f.store, vectors.New(hosted(t, h, "m")), f.clock)
	require.NoError(t, s.Build(f.ctx(), f.CompanyID, f.project(), vectors.Reindexing{}))
	whole, _ = f.vectors(t, "m")
	require.Equal(t, int(f.chunks(t)), whole)
	require.Equal(t, "m", f.vectorModel(t).VectorModel)
	require.False(t, f.vectorModel(t).VectorsPartial)
}
