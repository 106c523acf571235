package modelserver

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// The model of the made-up vectors.
const (
	EmbeddingModel = "bench"
	Dimensions     = 384
)

// Setting is the setting that makes the service take its vectors from the server at baseURL.
func Setting(baseURL string) string { return "EMBEDDINGS=openai:" + baseURL + "#" + EmbeddingModel }

// Vector returns a vector of length 1 that depends on the text alone. Different texts have unrelated vectors.
func Vector(text string) []float32 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	random := rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // must be repeatable
	v := make([]float32, Dimensions)
	sum := 0.
	for i := range v {
		x := random.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
