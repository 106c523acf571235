package ingest_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/embedding"
	"docqa/internal/engine/sentvec"
	"docqa/internal/ingest"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/testkit/doctest"
	"docqa/internal/testkit/embedtest"
	"docqa/internal/testkit/modelhost"
	"docqa/jobs/jobargs"
)

// with sets the models of the process that ingests; nil: none.
func (b *bundle) with(m *search.Models) {
	deps := b.IngestDeps()
	deps.Vectors = m
	b.Ingest = ingest.New(deps)
}

// newModel opens the model "m" of a server of its own.
func newModel(t *testing.T) embed.Embedder {
	t.Helper()
	return hosted(t, modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI), "m")
}

// hosted opens a model of a server.
func hosted(t *testing.T, h *modelhost.Host, name string) embed.Embedder {
	t.Helper()
	s, err := models.ParseEmbedding("openai:" + h.URL + "#" + name)
	require.NoError(t, err)
	e, err := embed.Open(t.Context(), s, embed.Options{Client: http.DefaultClient})
	require.NoError(t, err)
	return e
}

func (b *bundle) vectorModel(t *testing.T) dbsqlc.ProjectVectorModelRow {
	t.Helper()
	row, err := dbsqlc.New().ProjectVectorModel(b.Ctx(), b.Store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID()})
	require.NoError(t, err)
	return row
}

// vectors counts the chunks that have a vector of the model, and those that have vectors of their sentences.
func (b *bundle) vectors(t *testing.T, model string) (whole, sentences int) {
	t.Helper()
	err := b.Store.Pool().QueryRow(b.Ctx(), `select count(*), count(s.chunk_id) from chunk_vectors v
		left join chunk_sentences s using (company_id, project_id, chunk_id, model) where v.model = $1`, model).Scan(&whole, &sentences)
	require.NoError(t, err)
	return whole, sentences
}

// build makes the project's missing vectors, as the job does.
func (b *bundle) build(t *testing.T, m *search.Models) error {
	t.Helper()
	return embedding.New(embedding.Deps{Store: b.Store, Models: m, Clock: b.Clock}).Build(b.Ctx(), jobargs.BuildVectors{CompanyID: b.CompanyID, ProjectID: b.ProjectID()}, jobargs.Attempt{})
}

// searchable returns by what a search finds the document.
func (b *bundle) searchable(t *testing.T, id string) documents.Searchable {
	t.Helper()
	model, err := b.Documents.VectorModel(b.Ctx(), b.CompanyID, b.ProjectID())
	require.NoError(t, err)
	return documents.SearchableBy(b.Get(t, id), model)
}

func TestIngester_Ingest_WordsFirstVectorsFollow(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := embedtest.Models(t)
	b.with(m)
	const text = "The grinder weighs four kilograms. It has a warranty of two years. The manual is on our site."
	uploaded := b.Uploaded(t, "coffee_grinder.txt", text)
	require.Equal(t, documents.SearchableNone, b.searchable(t, uploaded.DocumentID))
	require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Started(t, uploaded.DocumentID), b.Attempt()))
	d := b.Get(t, uploaded.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.NotEmpty(t, b.search(t), "words are found at once")
	require.Equal(t, documents.SearchableWords, b.searchable(t, d.DocumentID))
	require.True(t, b.vectorModel(t).VectorsPartial)
	require.Len(t, b.JobsOf(t, "build_vectors"), 1)

	require.NoError(t, b.build(t, m))
	require.Equal(t, m.Default(), b.vectorModel(t).VectorModel)
	require.False(t, b.vectorModel(t).VectorsPartial)
	require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, d.DocumentID))
	whole, sentences := b.vectors(t, m.Default())
	require.Equal(t, []int{int(d.ChunkCount), int(d.ChunkCount)}, []int{whole, sentences})

	var packed []byte
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx(), "select vectors from chunk_sentences").Scan(&packed))
	questions, err := m.QueryAll(t.Context(), m.Default(), []string{"How long is it guaranteed?"})
	require.NoError(t, err)
	scores := sentvec.Cosines(packed, questions[0])
	require.Len(t, scores, 3)
	best := scores[1]
	require.Equal(t, "It has a warranty of two years.", text[best.Start:best.End])
	require.Greater(t, best.Cosine, scores[0].Cosine)
	require.Greater(t, best.Cosine, scores[2].Cosine)

	again := b.Indexed(t, "second.txt", doctest.Essay("kettle"))
	require.Equal(t, documents.SearchableWords, b.searchable(t, again.DocumentID))
	require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, d.DocumentID), "the first one keeps its vectors")
	require.NoError(t, b.build(t, m))
	require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, again.DocumentID))

	_, err = b.Ingest.Reprocess(b.Ctx(), b.CompanyID, b.ProjectID(), d.DocumentID)
	require.NoError(t, err)
	require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Job(t, d.DocumentID), b.Attempt()))
	require.Equal(t, documents.SearchableWords, b.searchable(t, d.DocumentID), "its chunks are new")
}

func TestIngester_Ingest_ChoosesTheModel(t *testing.T) {
	t.Parallel()
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	first, second := hosted(t, h, "first"), hosted(t, h, "second")

	t.Run("chunks from before the model get vectors, too", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		old := b.Indexed(t, "old.txt", doctest.Essay("grinder"))
		require.Empty(t, b.JobsOf(t, "build_vectors"), "there is no model")
		b.with(search.NewModels(first))
		b.Indexed(t, "new.txt", doctest.Essay("kettle"))
		require.Len(t, b.JobsOf(t, "build_vectors"), 1)
		require.NoError(t, b.build(t, search.NewModels(first)))
		require.Equal(t, "first", b.vectorModel(t).VectorModel)
		require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, old.DocumentID))
	})
	t.Run("the project's own, if it is there, else the default", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.with(search.NewModels(second))
		d := b.Indexed(t, "old.txt", doctest.Essay("grinder"))
		require.NoError(t, b.build(t, search.NewModels(second)))
		require.NoError(t, b.build(t, search.NewModels(first, second)))
		require.Equal(t, "second", b.vectorModel(t).VectorModel)
		require.NoError(t, b.build(t, search.NewModels(first)))
		require.Equal(t, "first", b.vectorModel(t).VectorModel)
		whole, _ := b.vectors(t, "second")
		require.Zero(t, whole)
		require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, d.DocumentID))
	})
	t.Run("a process without models leaves a job to the others", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.with(search.NewModels(first))
		b.Indexed(t, "old.txt", doctest.Essay("grinder"))
		require.NoError(t, b.build(t, search.NewModels(first)))
		_, err := b.Store.Pool().Exec(b.Ctx(), "delete from river_job where kind = 'build_vectors'")
		require.NoError(t, err)
		b.with(nil)
		b.Indexed(t, "new.txt", doctest.Essay("kettle"))
		require.True(t, b.vectorModel(t).VectorsPartial)
		require.Len(t, b.JobsOf(t, "build_vectors"), 1)
	})
	t.Run("nothing for an archived project", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.with(search.NewModels(first))
		b.Indexed(t, "old.txt", doctest.Essay("grinder"))
		_, err := b.Store.Pool().Exec(b.Ctx(), "update projects set status = 'archived'")
		require.NoError(t, err)
		require.NoError(t, b.build(t, search.NewModels(first)))
		require.Empty(t, b.vectorModel(t).VectorModel)
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
	b := setup(t)
	model := newModel(t)
	b.with(search.NewModels(model))
	b.Indexed(t, "old.txt", doctest.Essay("grinder"))
	come := false
	require.NoError(t, b.build(t, search.NewModels(hooked{model, func() {
		if !come {
			come = true
			b.Indexed(t, "new.txt", doctest.Essay("kettle"))
		}
	}})))
	require.Equal(t, "m", b.vectorModel(t).VectorModel)
	require.False(t, b.vectorModel(t).VectorsPartial)
	whole, sentences := b.vectors(t, "m")
	require.Equal(t, []int{int(b.Chunks(t)), int(b.Chunks(t))}, []int{whole, sentences})
}

func TestIngester_Ingest_DocumentThatChangesWhileVectorsAreBuilt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	model := newModel(t)
	b.with(search.NewModels(model))
	d := b.Indexed(t, "old.txt", doctest.Essay("grinder"))
	stop := errors.New("stop here")
	err := embedding.New(embedding.Deps{Store: b.Store, Models: search.NewModels(hooked{model, func() {
		_, err := b.Ingest.Reprocess(b.Ctx(), b.CompanyID, b.ProjectID(), d.DocumentID)
		require.NoError(t, err)
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Job(t, d.DocumentID), b.Attempt()))
	}}), Clock: b.Clock}).Build(b.Ctx(), jobargs.BuildVectors{CompanyID: b.CompanyID, ProjectID: b.ProjectID()}, jobargs.Attempt{Yield: func(context.Context) error { return stop }})
	require.ErrorIs(t, err, stop)
	require.Empty(t, b.Get(t, d.DocumentID).VectorModels, "the vectors were those of chunks that are gone")
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
			b := setup(t)
			h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
			m := search.NewModels(hosted(t, h, "m"))
			b.with(m)
			d := b.Indexed(t, "a.txt", doctest.Essay("grinder"))
			h.Become(c.script)
			err := b.build(t, m)
			require.Equal(t, c.fails, err != nil, "%v", err)
			require.Equal(t, "indexed", b.Get(t, d.DocumentID).Status)
			require.NotEmpty(t, b.search(t))
			h.Become(modelhost.Script{})
			require.NoError(t, b.build(t, m))
			require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, d.DocumentID))
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
	b := setup(t)
	model := newModel(t)
	_, err := model.Embed(t.Context(), []string{"learn the dimensions"})
	require.NoError(t, err)
	b.with(search.NewModels(model))
	bad := b.Indexed(t, "bad.txt", "The unspeakable grinder has a warranty.")
	good := b.Indexed(t, "good.txt", "The kettle has a warranty.")
	require.NoError(t, b.build(t, search.NewModels(refusing{model, "unspeakable"})))
	require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, good.DocumentID))
	require.Equal(t, documents.SearchableWordsAndVectors, b.searchable(t, bad.DocumentID))
	require.Equal(t, "m", b.vectorModel(t).VectorModel, "one text holds up no project")
}
