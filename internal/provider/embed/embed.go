package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/onnx"
)

// Embedder makes vectors. Implementations are safe for concurrent use.
type Embedder interface {
	// Embed answers one vector a text, in their order. Texts that are longer than the model
	// reads are cut. Errors: the context's, ProviderFailed and Timeout (apperr) of a server.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model; vectors of different names must not be compared.
	Model() string
	// Dimensions is the length of the vectors.
	Dimensions() int
	// Close frees what the model holds. Nothing may be called after it.
	Close() error
}

// Questioner is an Embedder that reads questions otherwise than passages.
type Questioner interface {
	// EmbedQuestions is Embed for texts that are asked.
	EmbedQuestions(ctx context.Context, texts []string) ([][]float32, error)
}

// Options are what Open needs besides the setting. The zero value will do for a local model.
type Options struct {
	Library    string       // ONNX Runtime; default: below the folder, or lib/ beside models/, or the system's
	Threads    int          // texts in work at once by a local model; default 1
	Dimensions int          // what the vectors must have; 0: any
	Client     *http.Client // for hosted models; required there
	APIKey     string       // for hosted models; empty: none is sent, and requests to Bedrock are signed
	BedrockURL string       // default: the region's public endpoint
	Clock      clock.Clock  // for Bedrock's signatures and the rest of hosted models; default: the system's
	Patient    bool         // a hosted model that cannot be reached now is opened all the same
}

// ErrNone says that no embeddings are configured.
var ErrNone = errors.New("no embeddings are configured")

// ErrNotBuilt says that this program has no models of its own process.
var ErrNotBuilt = onnx.ErrNotBuilt

// Open makes the Embedder that s names and asks it for one vector, so that a broken model
// is found now. Errors: ErrNone; what is wrong with the folder, the runtime or the server.
func Open(ctx context.Context, s models.Embedding, o Options) (Embedder, error) {
	var e Embedder
	var err error
	switch s.Kind {
	case models.NoEmbedding:
		return nil, ErrNone
	case models.LocalEmbedding:
		e, err = openLocal(ctx, s.Folder, o)
	case models.OpenAIEmbedding:
		e, err = openHosted(ctx, openAI{url: s.URL, model: s.Model, key: o.APIKey}, s.Model, o)
	case models.BedrockEmbedding:
		e, err = openBedrock(ctx, s, o)
	}
	if err != nil {
		return nil, fmt.Errorf("open the embeddings %s: %w", s, err)
	}
	if o.Dimensions != 0 && e.Dimensions() != o.Dimensions {
		return nil, errors.Join(
			fmt.Errorf("open the embeddings %s: their vectors have %d dimensions, expected are %d", s, e.Dimensions(), o.Dimensions),
			e.Close())
	}
	return e, nil
}

// normalise scales v to the norm 1. It fails for a vector without direction.
func normalise(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return errors.New("the model answered a vector without direction")
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return nil
}
