package forest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Model is a learned model.
type Model struct {
	Features []string  `json:"features"`          // names, in the order of the values
	Bias     float64   `json:"bias"`              // score of no feature
	Weights  []float64 `json:"weights,omitempty"` // one a feature, or none at all
	Trees    []Tree    `json:"trees,omitempty"`
}

// Tree has the same condition in every branch of a level. The results of the conditions are the
// bits of the index in Leaves, the first one the highest bit.
type Tree struct {
	Features   []int     `json:"f"` // places of the features that are compared
	Thresholds []float64 `json:"t"` // the answer is yes above
	Leaves     []float64 `json:"l"`
}

// Parse reads a model of the named features. It fails if the model has other features or is
// broken.
func Parse(data []byte, features []string) (*Model, error) {
	var m Model
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("read a model: %w", err)
	}
	if !slices.Equal(m.Features, features) {
		return nil, errors.New("the model was learned from other features")
	}
	if len(m.Weights) != 0 && len(m.Weights) != len(features) {
		return nil, errors.New("the model has not one weight a feature")
	}
	for _, t := range m.Trees {
		if len(t.Features) != len(t.Thresholds) || len(t.Leaves) != 1<<len(t.Features) {
			return nil, errors.New("the model has a broken tree")
		}
		for _, f := range t.Features {
			if f < 0 || f >= len(features) {
				return nil, errors.New("the model asks for a feature that does not exist")
			}
		}
	}
	return &m, nil
}

// Score returns the score of the values, one for each feature.
func (m *Model) Score(values []float64) float64 {
	sum := m.Bias
	for i, w := range m.Weights {
		sum += w * values[i]
	}
	for i := range m.Trees {
		sum += m.Trees[i].leaf(values)
	}
	return sum
}

// Chance returns the score as a probability.
func (m *Model) Chance(values []float64) float64 { return 1 / (1 + math.Exp(-m.Score(values))) }

func (t *Tree) leaf(values []float64) float64 {
	at := 0
	for i, f := range t.Features {
		at <<= 1
		if values[f] > t.Thresholds[i] {
			at |= 1
		}
	}
	return t.Leaves[at]
}
