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
// sees the rows of that company alone. Rag clients name a project and no company.
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

// find returns the document that a service means by id: its own, or ours. projectID may
// be empty where the id is unique in the installation; apperr.Conflict ambiguous_document
// where it is not, or was not within the last day: who repeats the deletion of one
// document must not meet another.
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

// checkID refuses an id of the caller's own that could be result for one of ours.
func checkID(id string) error {
	if ids.Valid(ids.Document, id) {
		return apperr.Validation("/documentId", "is none of the project's documents; ids of this form are made by the service")
	}
	return nil
}

func errAmbiguous() error {
	return apperr.Conflict(apperr.CodeAmbiguousDocument, "several projects have, or have lately had, a document of this id: name the project by projectId")
}

// writable refuses a project that is archived, as one that is not there.
func writable(status string) error {
	if status == "archived" {
		return apperr.NotFound()
	}
	return nil
}
