package search_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
	"docqa/internal/search"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/modelhost"
)

// named answers vectors that say which model made them.
type named struct {
	name   string
	first  float32
	closed *int
}

func (n named) Embed(_ context.Context, texts []string) ([][]float32, error) {
	made := make([][]float32, len(texts))
	for i := range texts {
		made[i] = []float32{n.first, float32(len(texts[i]))}
	}
	return made, nil
}

func (n named) Model() string { return n.name }

func (n named) Dimensions() int { return 2 }

func (n named) Close() error { *n.closed++; return nil }

func TestModels_choosesByName(t *testing.T) {
	t.Parallel()
	closed := 0
	m := search.NewModels(named{"first", 1, &closed}, named{"second", 2, &closed})
	require.Equal(t, "first", m.Default())
	require.Equal(t, []string{"first", "second"}, m.Names())
	require.True(t, m.Has("second"))
	require.False(t, m.Has("third"))
	require.Equal(t, "second", m.For("second"))
	require.Equal(t, "first", m.For("third"))
	require.Equal(t, "first", m.For(""))

	all, err := m.QueryAll(t.Context(), "second", []string{"abc"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{2, 3}}, all)
	all, err = m.QueryAll(t.Context(), "first", []string{"a", "ab"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{1, 1}, {1, 2}}, all)
	all, err = m.Embed(t.Context(), "second", []string{"abcd"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{2, 4}}, all)
	_, err = m.QueryAll(t.Context(), "third", []string{"a"})
	require.ErrorIs(t, err, search.ErrUnknownModel)

	require.NoError(t, m.Close())
	require.Equal(t, 2, closed)
}

func TestModels_noneIsUsable(t *testing.T) {
	t.Parallel()
	for _, m := range []*search.Models{nil, search.NewModels()} {
		require.Empty(t, m.Default())
		require.Empty(t, m.Names())
		require.False(t, m.Has(""))
		require.Empty(t, m.For("gone"))
		_, err := m.Embed(t.Context(), "", []string{"a"})
		require.ErrorIs(t, err, search.ErrUnknownModel)
		require.NoError(t, m.Close())
	}
}

func TestChunkText_putsTitleAndHeadingsInFront(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Price list\nBatteries > Home\nRegion\nNord 12",
		search.ChunkText(" Price  list", []string{"Batteries", "Home"}, "Region", "Nord 12"))
	require.Equal(t, "Only this", search.ChunkText("", nil, "", "Only this"))
}

func TestOpenModels(t *testing.T) {
	t.Parallel()
	s, host := dbtest.New(t), modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	none, err := search.OpenModels(t.Context(), search.ModelOptions{})
	require.NoError(t, err)
	require.Contains(t, none.State().Reason, "EMBEDDINGS")

	open := func(list string) (*search.Models, error) {
		settings, err := models.ParseEmbeddings(list)
		require.NoError(t, err)
		return search.OpenModels(t.Context(), search.ModelOptions{Models: settings, Client: http.DefaultClient, Logger: slog.New(slog.DiscardHandler)})
	}
	server := "openai:" + host.URL
	m, err := open(server + "#a," + server + "#b")
	require.NoError(t, err)
	require.Equal(t, search.ModelState{Models: []string{"a", "b"}}, m.State())
	host.Become(modelhost.Script{Refusals: []int{400}})
	_, err = m.QueryAll(t.Context(), "a", []string{"x"})
	require.Error(t, err)
	require.True(t, m.State().Failed)
	_, err = m.QueryAll(t.Context(), "a", []string{"x"})
	require.NoError(t, err)
	require.False(t, m.State().Failed)

	_, err = open(server + "#a," + strings.Replace(server, "127.0.0.1", "localhost", 1) + "#a")
	require.ErrorContains(t, err, "names the model a twice")
	_, err = open("local:" + t.TempDir())
	require.ErrorContains(t, err, "the folder needs model.onnx")

	// A server that is away does not keep the service from starting, and what is stored under its model's name counts.
	require.NoError(t, m.Register(t.Context(), s))
	host.Become(modelhost.Script{Refusals: []int{503, 503, 503}})
	m, err = open(server + "#a")
	require.NoError(t, err)
	require.NoError(t, m.Register(t.Context(), s))
	_, err = m.QueryAll(t.Context(), "a", []string{"x"})
	require.NoError(t, err)
}
