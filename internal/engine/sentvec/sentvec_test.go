package sentvec_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/sentvec"
)

// direction is a random vector of the norm 1.
func direction(r *rand.Rand, size int) []float32 {
	v, sum := make([]float32, size), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestCosines_readsWhatPackWrote(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 3, 384, 1024} {
		var sentences []sentvec.Sentence
		for i := range 20 {
			sentences = append(sentences, sentvec.Sentence{Start: i * 300, End: i*300 + 100 + i, Vector: direction(r, size)})
		}
		query := direction(r, size)
		packed := sentvec.Pack(sentences)
		require.LessOrEqual(t, len(packed), 10+20*(size+9))
		scores := sentvec.Cosines(packed, query)
		require.Len(t, scores, 20)
		for i, s := range scores {
			require.Equal(t, sentences[i].Start, s.Start)
			require.Equal(t, sentences[i].End, s.End)
			require.InDelta(t, dot(sentences[i].Vector, query), s.Cosine, 0.02)
		}
		require.InDelta(t, 1, sentvec.Cosines(packed, sentences[7].Vector)[7].Cosine, 0.001)
	}
}

func TestCosines_ofOtherDimensionsAreNone(t *testing.T) {
	t.Parallel()
	packed := sentvec.Pack([]sentvec.Sentence{{Start: 0, End: 4, Vector: []float32{0, 1}}})
	require.Len(t, sentvec.Cosines(packed, []float32{0, 1}), 1)
	require.Empty(t, sentvec.Cosines(packed, []float32{0, 1, 0}))
	require.Empty(t, sentvec.Cosines(packed, nil))
	require.Empty(t, sentvec.Cosines(nil, []float32{0, 1}))
	require.Empty(t, sentvec.Cosines(sentvec.Pack(nil), []float32{0, 1}))
}

func TestCosines_ofAVectorWithoutDirectionIsZero(t *testing.T) {
	t.Parallel()
	packed := sentvec.Pack([]sentvec.Sentence{{Start: 2, End: 4, Vector: []float32{0, 0}}})
	require.Equal(t, []sentvec.Score{{Start: 2, End: 4}}, sentvec.Cosines(packed, []float32{0, 1}))
}

func FuzzCosines(f *testing.F) {
	whole := sentvec.Pack([]sentvec.Sentence{{Start: 1, End: 9, Vector: []float32{0.6, -0.8}}, {Start: 10, End: 12, Vector: []float32{1, 0}}})
	f.Add(whole)
	for cut := range whole {
		f.Add(whole[:cut])
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		for _, s := range sentvec.Cosines(packed, []float32{0.6, -0.8}) {
			require.False(t, s.Cosine > 1 || s.Cosine < -1)
		}
	})
}

// BenchmarkCosines compares a question with the sentences of fifty chunks.
func BenchmarkCosines(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var sentences []sentvec.Sentence
	for i := range 350 {
		sentences = append(sentences, sentvec.Sentence{Start: i, End: i + 1, Vector: direction(r, 384)})
	}
	packed, query := sentvec.Pack(sentences), direction(r, 384)
	for b.Loop() {
		sentvec.Cosines(packed, query)
	}
}
