package provenance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"docqa/eval/dataset"
	"docqa/eval/manuals"
)

// Provenance is the member "learned" of a model file.
type Provenance struct {
	Commit string            `json:"commit"` // of the program that trained the model
	Seed   string            `json:"seed"`   // of what is chosen by chance
	Sets   map[string]string `json:"sets"`   // the hash of the questions, by the name of the set
	// Figures are cross-validated: of documents that the models which answered were not trained on. By set and measure, from 0 to 1.
	Figures map[string]map[string]float64 `json:"figures"`
}

// New returns the provenance of a model that is trained on the learnable questions of sets.
func New(commit, seed string, sets []*dataset.Set) *Provenance {
	p := &Provenance{Commit: commit, Seed: seed, Sets: map[string]string{}, Figures: map[string]map[string]float64{}}
	for _, s := range sets {
		p.Sets[s.Name] = Hash(slices.DeleteFunc(slices.Clone(s.Questions), Unseen))
	}
	return p
}

// Add notes a cross-validated figure.
func (p *Provenance) Add(set, measure string, value float64) {
	if p.Figures[set] == nil {
		p.Figures[set] = map[string]float64{}
	}
	p.Figures[set][measure] = float64(int(value*1000+0.5)) / 1000
}

// Unseen reports whether a question is kept for measuring: no model is trained on it.
func Unseen(q dataset.Question) bool {
	return q.Manual != nil && q.Manual.Part == manuals.Unseen
}

// Hash identifies questions by their ids and texts, in any order.
func Hash(questions []dataset.Question) string {
	lines := map[string]bool{}
	for i := range questions {
		lines[questions[i].ID+"\t"+questions[i].Text] = true
	}
	sum := sha256.New()
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		_, _ = fmt.Fprintln(sum, line)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Read reads the provenance of the model file at path. Error: the file has none.
func Read(path string) (*Provenance, error) {
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	var file struct{ Learned *Provenance }
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if file.Learned == nil {
		return nil, errors.New(path + " does not say what the model was trained on")
	}
	return file.Learned, nil
}

// Saw reports whether the model was trained on the questions of set that are not kept for measuring.
func (p *Provenance) Saw(set *dataset.Set) bool {
	hash, known := p.Sets[set.Name]
	return known && hash == Hash(slices.DeleteFunc(slices.Clone(set.Questions), Unseen))
}
