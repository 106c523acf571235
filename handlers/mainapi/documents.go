package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/documents"
	"docqa/internal/ingest"
	"docqa/internal/platform/authn"
)

// DocumentsAPI serves the documents of a project.
//
// Source: main API section 4.5.
type DocumentsAPI struct {
	Documents *documents.Service
	Ingest    *ingest.Service
}

// ReserveUpload implements reserveUpload.
func (a *DocumentsAPI) ReserveUpload(
	ctx context.Context, req *oas.UploadReservationRequest, params oas.ReserveUploadParams,
) (*oas.UploadReservation, error) {
	r, err := a.Documents.ReserveUpload(ctx, authn.Must(ctx).CompanyID, params.ProjectID, documents.UploadInput{
		Filename: req.Filename, ContentType: req.ContentType.Value, IdempotencyKey: params.IdempotencyKey.Or(""),
	})
	if err != nil {
		return nil, err
	}
	edge.Replayed(ctx, r.Replayed)
	return toAPIUploadReservation(r), nil
}

// ConfirmUpload implements confirmUpload.
func (a *DocumentsAPI) ConfirmUpload(ctx context.Context, params oas.ConfirmUploadParams) (*oas.DocumentConfirmed, error) {
	d, err := a.Documents.Confirm(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.DocumentID)
	if err != nil {
		return nil, err
	}
	return toAPIDocumentConfirmed(d), nil
}

// GetDocument implements getDocument.
func (a *DocumentsAPI) GetDocument(ctx context.Context, params oas.GetDocumentParams) (*oas.DocumentResponse, error) {
	companyID := authn.Must(ctx).CompanyID
	d, err := a.Documents.Get(ctx, companyID, params.ProjectID, params.DocumentID)
	if err != nil {
		return nil, err
	}
	model, err := a.Documents.VectorModel(ctx, companyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &oas.DocumentResponse{Document: toAPIDocument(d, model)}, nil
}

// ListDocuments implements listDocuments.
func (a *DocumentsAPI) ListDocuments(ctx context.Context, params oas.ListDocumentsParams) (*oas.DocumentList, error) {
	page, err := a.Documents.List(ctx, authn.Must(ctx).CompanyID, params.ProjectID, documents.ListInput{
		Limit: params.Limit.Value, Cursor: params.Cursor.Value, Status: params.Status.Value, SourceType: params.SourceType.Value,
	})
	if err != nil {
		return nil, err
	}
	return toAPIDocumentList(page), nil
}

// DeleteDocument implements deleteDocument.
func (a *DocumentsAPI) DeleteDocument(ctx context.Context, params oas.DeleteDocumentParams) (*oas.DocumentDeleted, error) {
	if _, err := a.Documents.Delete(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.DocumentID); err != nil {
		return nil, err
	}
	return &oas.DocumentDeleted{DocumentID: params.DocumentID, Deleted: true}, nil
}

// SyncDocuments implements syncDocuments.
func (a *DocumentsAPI) SyncDocuments(ctx context.Context, params oas.SyncDocumentsParams) (*oas.SyncResult, error) {
	companyID := authn.Must(ctx).CompanyID
	started, err := a.Ingest.Sync(ctx, companyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return toAPISyncResult(companyID, params.ProjectID, started), nil
}

// ReprocessDocument implements reprocessDocument.
func (a *DocumentsAPI) ReprocessDocument(
	ctx context.Context, params oas.ReprocessDocumentParams,
) (*oas.DocumentReprocessed, error) {
	d, err := a.Ingest.Reprocess(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.DocumentID)
	if err != nil {
		return nil, err
	}
	return &oas.DocumentReprocessed{DocumentID: d.DocumentID, Status: oas.DocumentStatus(d.Status)}, nil
}
