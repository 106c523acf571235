package documents_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/embedding"
	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/testkit/embedtest"
	"docqa/internal/testkit/modelhost"
)

// with has documents ingested by a process with these models; nil: none.
func (f *fixture) with(m *search.Models) {
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

// build makes the project's missing vectors, as the job does.
func (f *fixture) build(t *testing.T, m *search.Models) error {
	t.Helper()
	return embedding.NewService(f.store, m, f.clock).Build(f.ctx(), f.CompanyID, f.project(), embedding.Reindexing{})
}

// searchable is what finds the document.
func (f *fixture) searchable(t *testing.T, id string) documents.Searchable {
	t.Helper()
	model, err := f.VectorModel(f.ctx(), f.CompanyID, f.project())
	require.NoError(t, err)
	return documents.SearchableBy(f.get(t, id), model)
}

func TestIngester_Ingest_WordsFirstVectorsFollow(t *testing.T) {
	t.Parallel()
	f := setup(t)
	m := embedtest.Models(t)
	f.with(m)
	const text = "The grinder weighs four kilograms. It has a warranty of two years. The manual is on our site."
	uploaded := f.uploaded(t, "coffee_grinder.txt", text)
	require.Equal(t, documents.SearchableNone, f.searchable(t, uploaded.DocumentID))
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, uploaded.DocumentID), f.attempt()))
	d := f.get(t, uploaded.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.NotEmpty(t, f.search(t), "words are found at once")
	require.Equal(t, documents.SearchableWords, f.searchable(t, d.DocumentID))
	require.True(t, f.vectorModel(t).VectorsPartial)
	require.Len(t, f.jobsOf(t, "build_vectors"), 1)

	require.NoError(t, f.build(t, m))
	require.Equal(t, m.Default(), f.vectorModel(t).VectorModel)
	require.False(t, f.vectorModel(t).VectorsPartial)
	require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, d.DocumentID))
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
	require.Equal(t, documents.SearchableWords, f.searchable(t, again.DocumentID))
	require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, d.DocumentID), "the first one keeps its vectors")
	require.NoError(t, f.build(t, m))
	require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, again.DocumentID))

	_, err = f.Reprocess(f.ctx(), f.CompanyID, f.project(), d.DocumentID)
	require.NoError(t, err)
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	require.Equal(t, documents.SearchableWords, f.searchable(t, d.DocumentID), "its chunks are new")
}

func TestIngester_Ingest_ChoosesTheModel(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	first, second := hosted(t, h, "first"), hosted(t, h, "second")

	t.Run("chunks from before the model get vectors, too", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		old := f.indexed(t, "old.txt", essay("grinder"))
		require.Empty(t, f.jobsOf(t, "build_vectors"), "there is no model")
		f.with(search.NewModels(first))
		f.indexed(t, "new.txt", essay("kettle"))
		require.Len(t, f.jobsOf(t, "build_vectors"), 1)
		require.NoError(t, f.build(t, search.NewModels(first)))
		require.Equal(t, "first", f.vectorModel(t).VectorModel)
		require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, old.DocumentID))
	})
	t.Run("the project's own, if it is there, else the default", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(search.NewModels(second))
		d := f.indexed(t, "old.txt", essay("grinder"))
		require.NoError(t, f.build(t, search.NewModels(second)))
		require.NoError(t, f.build(t, search.NewModels(first, second)))
		require.Equal(t, "second", f.vectorModel(t).VectorModel)
		require.NoError(t, f.build(t, search.NewModels(first)))
		require.Equal(t, "first", f.vectorModel(t).VectorModel)
		whole, _ := f.vectors(t, "second")
		require.Zero(t, whole)
		require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, d.DocumentID))
	})
	t.Run("a process without models leaves a job to the others", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(search.NewModels(first))
		f.indexed(t, "old.txt", essay("grinder"))
		require.NoError(t, f.build(t, search.NewModels(first)))
		_, err := f.store.Pool().Exec(f.ctx(), "delete from river_job where kind = 'build_vectors'")
		require.NoError(t, err)
		f.with(nil)
		f.indexed(t, "new.txt", essay("kettle"))
		require.True(t, f.vectorModel(t).VectorsPartial)
		require.Len(t, f.jobsOf(t, "build_vectors"), 1)
	})
	t.Run("nothing for an archived project", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.with(search.NewModels(first))
		f.indexed(t, "old.txt", essay("grinder"))
		_, err := f.store.Pool().Exec(f.ctx(), "update projects set status = 'archived'")
		require.NoError(t, err)
		require.NoError(t, f.build(t, search.NewModels(first)))
		require.Empty(t, f.vectorModel(t).VectorModel)
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

func TestIngester_Ingest_ChunksThatComeWhileVectorsAreBuilt(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	model := hosted(t, h, "m")
	f.with(search.NewModels(model))
	f.indexed(t, "old.txt", essay("grinder"))
	come := false
	require.NoError(t, f.build(t, search.NewModels(hooked{model, func() {
		if !come {
			come = true
			f.indexed(t, "new.txt", essay("kettle"))
		}
	}})))
	require.Equal(t, "m", f.vectorModel(t).VectorModel)
	require.False(t, f.vectorModel(t).VectorsPartial)
	whole, sentences := f.vectors(t, "m")
	require.Equal(t, []int{int(f.chunks(t)), int(f.chunks(t))}, []int{whole, sentences})
}

func TestIngester_Ingest_DocumentThatChangesWhileVectorsAreBuilt(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	model := hosted(t, h, "m")
	f.with(search.NewModels(model))
	d := f.indexed(t, "old.txt", essay("grinder"))
	stop := errors.New("stop here")
	err := embedding.NewService(f.store, search.NewModels(hooked{model, func() {
		_, err := f.Reprocess(f.ctx(), f.CompanyID, f.project(), d.DocumentID)
		require.NoError(t, err)
		require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	}}), f.clock).Build(f.ctx(), f.CompanyID, f.project(), embedding.Reindexing{Yield: func(context.Context) error { return stop }})
	require.ErrorIs(t, err, stop)
	require.Empty(t, f.get(t, d.DocumentID).VectorModels, "the vectors were those of chunks that are gone")
}

func TestIngester_Ingest_FailingModelFailsNoDocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script modelhost.Script
		fails  bool
	}{
		"the server is away":                {script: modelhost.Script{Refusals: []int{503, 503, 503}}, fails: true},
		"the server answers nonsense":       {script: modelhost.Script{End: modelhost.Nonsense}, fails: true},
		"the server refuses our own key":    {script: modelhost.Script{Refusals: []int{401}}, fails: true},
		"the server refuses the texts once": {script: modelhost.Script{Refusals: []int{400}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
			m := search.NewModels(hosted(t, h, "m"))
			f.with(m)
			d := f.indexed(t, "a.txt", essay("grinder"))
			h.Become(c.script)
			err := f.build(t, m)
			require.Equal(t, c.fails, err != nil, "%v", err)
			require.Equal(t, "indexed", f.get(t, d.DocumentID).Status)
			require.NotEmpty(t, f.search(t))
			h.Become(modelhost.Script{})
			require.NoError(t, f.build(t, m))
			require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, d.DocumentID))
		})
	}
}

// refusing refuses texts that hold a word.
type refusing struct {
	embed.Embedder
	word string
}

func (r refusing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	for _, text := range texts {
		if strings.Contains(text, r.word) {
			return nil, &embed.RefusedError{Status: http.StatusBadRequest}
		}
	}
	return r.Embedder.Embed(ctx, texts)
}

func TestIngester_Ingest_TextThatTheModelRefuses(t *testing.T) {
	t.Parallel()
	f := setup(t)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	model := hosted(t, h, "m")
	_, err := model.Embed(t.Context(), []string{"learn the dimensions"})
	require.NoError(t, err)
	f.with(search.NewModels(model))
	bad := f.indexed(t, "bad.txt", "The unspeakable grinder has a warranty.")
	good := f.indexed(t, "good.txt", "The kettle has a warranty.")
	require.NoError(t, f.build(t, search.NewModels(refusing{model, "unspeakable"})))
	require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, good.DocumentID))
	require.Equal(t, documents.SearchableWordsAndVectors, f.searchable(t, bad.DocumentID))
	require.Equal(t, "m", f.vectorModel(t).VectorModel, "one text holds up no project")
}
