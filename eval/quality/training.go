package quality

import (
	"maps"
	"path/filepath"
	"slices"

	"docqa/eval/dataset"
	"docqa/eval/provenance"
)

// training is what the learned models of the service say about themselves.
type training struct {
	all     []*provenance.Provenance
	figures map[string]map[string]float64 // cross-validated, by set and measure
}

// readTraining reads the models below the folder of the engine that answer with vectors or without.
func readTraining(engine string, vectors bool) (*training, error) {
	kind := "words.json"
	if vectors {
		kind = "vectors.json"
	}
	t := &training{figures: map[string]map[string]float64{}}
	for _, path := range []string{"rank/models/" + kind, "answer/models/" + kind, "answer/models/others.json"} {
		p, err := provenance.Read(filepath.Join(engine, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		t.all = append(t.all, p)
		for set, figures := range p.Figures {
			if t.figures[set] == nil {
				t.figures[set] = map[string]float64{}
			}
			maps.Copy(t.figures[set], figures)
		}
	}
	return t, nil
}

// saw reports whether one of the models was trained on the questions of a set.
func (t *training) saw(set *dataset.Set) bool {
	return slices.ContainsFunc(t.all, func(p *provenance.Provenance) bool { return p.Saw(set) })
}
