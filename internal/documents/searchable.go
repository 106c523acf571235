package documents

import (
	"context"
	"fmt"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// Searchable says how a document can be found: not at all, by words, or by words and vectors.
//
// Source: docs/decisions.md#searchable.
type Searchable string

// The degrees of Searchable.
const (
	SearchableNone            Searchable = "none"
	SearchableWords           Searchable = "words"
	SearchableWordsAndVectors Searchable = "words_and_vectors"
)

// SearchableBy returns how d can be found. model is the project's embedding model; empty: it
// has none.
func SearchableBy(d dbsqlc.Document, model string) Searchable {
	switch {
	case d.ChunkCount == 0:
		return SearchableNone
	case model != "" && slices.Contains(d.VectorModels, model):
		return SearchableWordsAndVectors
	}
	return SearchableWords
}

// VectorModel returns the model whose vectors searches in the project use, or "" if there is
// none.
func (s *Service) VectorModel(ctx context.Context, companyID, projectID string) (string, error) {
	state, err := s.q.ProjectVectorModel(ctx, s.Store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil && !store.IsNoRows(err) {
		return "", fmt.Errorf("find the project's model: %w", err)
	}
	return state.VectorModel, nil
}
