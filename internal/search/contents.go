package search

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
)

// Contents says how much the index of a project holds.
type Contents struct {
	Documents, Indexed, Processing, Failed int
	Passages                               int
	Tokens                                 int64 // estimated
	Bytes                                  int64 // of the documents' files
	IndexedAt                              *time.Time
	Model                                  string // whose vectors searches use; empty: none
}

// Contents counts what the index of a project holds.
func (s *Service) Contents(ctx context.Context, companyID, projectID string) (Contents, error) {
	row, err := dbsqlc.New().ProjectIndexStats(ctx, s.store.Pool(), dbsqlc.ProjectIndexStatsParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return Contents{}, fmt.Errorf("count the index of project %s: %w", projectID, err)
	}
	c := Contents{
		Documents: int(row.Total), Indexed: int(row.Indexed), Processing: int(row.Processing), Failed: int(row.Failed),
		Passages: int(row.Chunks), Tokens: int64(float64(row.Chunks) * row.ChunkTokens), Bytes: row.SizeBytes,
		Model: row.VectorModel,
	}
	if row.LastIndexedAt.Unix() > 0 {
		c.IndexedAt = &row.LastIndexedAt
	}
	return c, nil
}
