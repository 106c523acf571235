package ragservice

import "context"

// DeleteDocument deletes a document that a rag client names by its own id or ours, of any
// company; projectID may be empty where the id is unique in the installation. It returns
// how many chunks the document had. apperr.Conflict ambiguous_document where the id is not
// unique, apperr.NotFound where no project holds it.
//
// Source: docs/decisions.md#retrieval-documents.
func (s *Service) DeleteDocument(ctx context.Context, projectID, id string) (chunks int, err error) {
	there, err := s.find(ctx, projectID, id)
	if err != nil {
		return 0, err
	}
	ctx, project, err := s.writableProject(ctx, there.ProjectID)
	if err != nil {
		return 0, err
	}
	return s.Documents.Delete(ctx, project.CompanyID, there.ProjectID, there.DocumentID)
}
