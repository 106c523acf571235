package ragservice

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// ExternalID returns the id by which rag clients know a document: the client's own if it has one.
//
// Gap: our choice (retrieval API, documentId).
func ExternalID(documentID string, externalID *string) string {
	if externalID != nil {
		return *externalID
	}
	return documentID
}

// Project returns a project with the plan and status of its company, and a context that
// sees only the rows of that company. Rag clients name a project but no company.
// Errors: apperr.NotFound for an unknown project.
//
// Source: main API section 4.13; docs/decisions.md#service-keys.
func (s *Service) Project(ctx context.Context, projectID string) (context.Context, dbsqlc.ProjectByIDRow, error) {
	system := store.AsSystem(ctx, "the service key names a project and no company")
	row, err := s.q.ProjectByID(system, s.Store.Pool(), projectID)
	if err != nil {
		return ctx, row, store.RowError("find project", err)
	}
	return store.AsCompany(ctx, row.Project.CompanyID), row, nil
}

// writableProject is Project for changes: an archived project is NotFound, too.
func (s *Service) writableProject(ctx context.Context, projectID string) (context.Context, dbsqlc.Project, error) {
	ctx, row, err := s.Project(ctx, projectID)
	if err == nil {
		err = writable(row.Project.Status)
	}
	return ctx, row.Project, err
}

// Job returns a rag job. Error: apperr.NotFound.
func (s *Service) Job(ctx context.Context, jobID string) (dbsqlc.RagJob, error) {
	system := store.AsSystem(ctx, "the service key names a job and no company")
	job, err := s.q.RagJobByID(system, s.Store.Pool(), jobID)
	return job, store.RowError("get job", err)
}

// find returns the document that a rag client names by id: the external id or ours. projectID
// may be empty if the id is unique in the installation. find returns apperr.Conflict
// ambiguous_document if the id is not unique now, or was not within the last day: a client
// that repeats a deletion must not delete another client's document with the same id.
func (s *Service) find(ctx context.Context, projectID, id string) (dbsqlc.DocumentsFindForClientRow, error) {
	system := store.AsSystem(ctx, "the service key names a document and no company")
	rows, err := s.q.DocumentsFindForClient(system, s.Store.Pool(), dbsqlc.DocumentsFindForClientParams{ID: id, ProjectID: column.NullIfEmpty(projectID)})
	switch {
	case err != nil:
		return dbsqlc.DocumentsFindForClientRow{}, fmt.Errorf("find document: %w", err)
	case len(rows) == 0:
		return dbsqlc.DocumentsFindForClientRow{}, apperr.NotFound()
	case len(rows) > 1:
		return dbsqlc.DocumentsFindForClientRow{}, errAmbiguous()
	}
	if projectID == "" {
		elsewhere, err := s.q.DeletedIDElsewhere(system, s.Store.Pool(), dbsqlc.DeletedIDElsewhereParams{ID: id, ProjectID: rows[0].ProjectID})
		switch {
		case err != nil:
			return dbsqlc.DocumentsFindForClientRow{}, fmt.Errorf("look for deleted ids: %w", err)
		case elsewhere:
			return dbsqlc.DocumentsFindForClientRow{}, errAmbiguous()
		}
	}
	return rows[0], nil
}

// checkID refuses an external id that has the form of our own ids.
func checkID(id string) error {
	if ids.Valid(ids.Document, id) {
		return apperr.Validation("/documentId", "is none of the project's documents; ids of this form are made by the service")
	}
	return nil
}

func errAmbiguous() error {
	return apperr.Conflict(apperr.CodeAmbiguousDocument, "several projects have, or have lately had, a document of this id: name the project by projectId")
}

// writable returns apperr.NotFound for an archived project.
func writable(status string) error {
	if status == "archived" {
		return apperr.NotFound()
	}
	return nil
}
