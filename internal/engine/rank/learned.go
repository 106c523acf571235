package rank

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"docqa/internal/engine/forest"
)

// The models are learned by `make learn` (eval/learn/ranking).
//
//go:embed models/*.json
var files embed.FS

// Ranker sorts candidates by learned models. It is safe for concurrent use.
type Ranker struct {
	words, vectors func() *forest.Model // for candidates without and with vectors
}

// New returns a Ranker with the models that come with the program. They are read when they are
// first needed; the Ranker panics then if the program was built with broken ones.
func New() *Ranker {
	return &Ranker{
		words:   sync.OnceValue(func() *forest.Model { return read("words") }),
		vectors: sync.OnceValue(func() *forest.Model { return read("vectors") }),
	}
}

// model returns the model for candidates: that with vectors if the search used vectors.
func (r *Ranker) model(candidates []Candidate) *forest.Model {
	if slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Cosine != 0 }) {
		return r.vectors()
	}
	return r.words()
}

func read(name string) *forest.Model {
	data, err := files.ReadFile("models/" + name + ".json")
	if err != nil {
		panic(err)
	}
	m, err := forest.Parse(data, Names())
	if err != nil {
		panic(fmt.Errorf("models/%s.json: %w", name, err))
	}
	return m
}
