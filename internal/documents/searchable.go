package documents

import (
	"context"
	"fmt"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// Searchable says what finds a document.
//
// Source: docs/decisions.md#searchable.
type Searchable string

// The degrees of Searchable.
const (
	SearchableNone            Searchable = "none"
	SearchableWords           Searchable = "words"
	SearchableWordsAndVectors Searchable = "words_and_vectors"
)

// SearchableBy tells what finds d in a project whose questions are answered by vectors of
// model; empty: by none.
func SearchableBy(d dbsqlc.Document, model string) Searchable {
	switch {
	case d.ChunkCount == 0:
		return SearchableNone
	case model != "" && slices.Contains(d.VectorModels, model):
		return SearchableWordsAndVectors
	}
	return SearchableWords
}

// VectorModel names the model whose vectors answer questions of the project; empty: none do.
func (s *Service) VectorModel(ctx context.Context, companyID, projectID string) (string, error) {
	state, err := s.q.ProjectVectorModel(ctx, s.Store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil && !store.IsNoRows(err) {
		return "", fmt.Errorf("find the project's model: %w", err)
	}
	return state.VectorModel, nil
}
