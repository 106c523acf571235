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
	// Embed returns one vector for each text, in their order. Texts that are longer than the
	// model reads are cut. Errors: the context's, ProviderFailed and Timeout (apperr) of a
	// server.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model; vectors of models with different names must not be compared.
	Model() string
	// Dimensions is the length of the vectors.
	Dimensions() int
	// Close frees what the model holds. Nothing may be called after it.
	Close() error
}

// Questioner is an Embedder that handles questions in another way than passages.
type Questioner interface {
	// EmbedQuestions is Embed for questions.
	EmbedQuestions(ctx context.Context, texts []string) ([][]float32, error)
}

// Options are what Open needs besides the setting. For a local model the zero value is enough.
type Options struct {
	Library    string       // path of ONNX Runtime; default: below the folder, or lib/ beside models/, or the system's
	Threads    int          // batches that a local model computes at once; default 1
	Dimensions int          // required length of the vectors; 0: any
	Client     *http.Client // for hosted models; required there
	APIKey     string       // for hosted models; empty: no key is sent, and requests to Bedrock are signed
	BedrockURL string       // default: the region's public endpoint
	Clock      clock.Clock  // for Bedrock's signatures and for the pause after failures of a hosted model; default: the system's
	Patient    bool         // open a hosted model also if it cannot be reached now
}

// ErrNone says that no embeddings are configured.
var ErrNone = errors.New("no embeddings are configured")

// ErrNotBuilt says that this program was built without support for models in its process.
var ErrNotBuilt = onnx.ErrNotBuilt

// Open makes the Embedder that s names and asks it for one vector, so that a broken model is
// noticed now. Errors: ErrNone; a fault of the folder, the runtime or the server.
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

// normalise scales v to the norm 1. It fails if v is zero or not finite.
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
