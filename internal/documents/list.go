package documents

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
)

// Page sizes of the list.
//
// Source: main API section 8.
const (
	pageDefault = 50
	pageMax     = 100
)

// ListInput says which documents to list. The strings are the client's.
type ListInput struct {
	Limit      string // lenient: anything but a positive number is 50, above 100 is 100
	Cursor     string // empty: the first page
	Status     string // empty: any
	SourceType string // empty: any
}

// Page is a page of documents, newest first.
type Page struct {
	Documents   []dbsqlc.Document
	NextCursor  string // empty on the last page
	VectorModel string // whose vectors answer the project's questions; empty: none do
}

// position is what a cursor holds: the last row of the page before.
type position struct {
	ProjectID  string    `json:"p"`
	CreatedAt  time.Time `json:"t"`
	DocumentID string    `json:"d"`
}

// List returns a page of the project's documents. A cursor that is not of this list is apperr.Invalid.
//
// Source: main API section 4.5; docs/decisions.md#listing-documents.
func (s *Service) List(ctx context.Context, companyID, projectID string, in ListInput) (Page, error) {
	size := limits.PageSize(in.Limit, pageDefault, pageMax)
	params := dbsqlc.DocumentListParams{
		CompanyID: companyID, ProjectID: projectID, Status: column.NullIfEmpty(in.Status), SourceType: column.NullIfEmpty(in.SourceType), RowLimit: size + 1,
		BeforeCreatedAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), // behind every row
	}
	if in.Cursor != "" {
		var after position
		if err := s.Cursors.Decode(in.Cursor, &after); err != nil {
			return Page{}, err
		}
		if after.ProjectID != projectID {
			return Page{}, errForeignCursor()
		}
		params.BeforeCreatedAt, params.BeforeDocumentID = after.CreatedAt, after.DocumentID
	}
	rows, err := s.q.DocumentList(ctx, s.Store.Ordered(), params)
	if err != nil {
		return Page{}, fmt.Errorf("list documents: %w", err)
	}
	model, err := s.VectorModel(ctx, companyID, projectID)
	if err != nil || len(rows) <= int(size) {
		return Page{Documents: rows, VectorModel: model}, err
	}
	rows = rows[:size]
	last := rows[size-1]
	next, err := s.Cursors.Encode(position{ProjectID: projectID, CreatedAt: last.CreatedAt, DocumentID: last.DocumentID})
	return Page{Documents: rows, NextCursor: next, VectorModel: model}, err
}
