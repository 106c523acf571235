package mainapi

import (
	"fmt"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/documents"
	"docqa/internal/ingest"
	"docqa/internal/platform/column"
)

// toAPIDocument converts a document. model is the embedding model of its project.
func toAPIDocument(d dbsqlc.Document, model string) oas.Document {
	return oas.Document{
		DocumentID: d.DocumentID, ProjectID: d.ProjectID, Filename: d.Filename, Status: oas.DocumentStatus(d.Status),
		ContentType: d.ContentType, SizeBytes: d.SizeBytes, UploadedAt: nilTimestamp(d.UploadedAt), UpdatedAt: timestamp(d.UpdatedAt),
		SourceType: oas.DocumentSourceType(d.SourceType), SourceURL: nilString(d.SourceURL), VersionNumber: int(d.VersionNumber),
		PageCount: nilInt(d.PageCount), ChunkCount: int(d.ChunkCount), IndexedAt: nilTimestamp(d.IndexedAt), Error: toAPIDocumentError(d),
		SHA256: nilString(d.Sha256), Language: nilString(d.Language), Stage: toAPIDocumentStage(d.Stage), Progress: nilShare(d.Progress),
		QueuedAt: nilTimestamp(d.QueuedAt), Searchable: oas.DocumentSearchable(documents.SearchableBy(d, model)),
		LeftOut: toAPILeftOut(d.LeftOut),
	}
}

func toAPILeftOut(l *column.LeftOut) oas.NilDocumentLeftOut {
	if l == nil {
		return oas.NilDocumentLeftOut{Null: true}
	}
	out := oas.DocumentLeftOut{Characters: l.Total(), Share: l.Share(l.Total()), Reasons: make([]oas.DocumentLeftOutReason, len(l.Reasons))}
	for i, p := range l.Reasons {
		out.Reasons[i] = oas.DocumentLeftOutReason{Reason: oas.LeftOutReason(p.Reason), Characters: p.Characters, Share: l.Share(p.Characters)}
	}
	return oas.NewNilDocumentLeftOut(out)
}

func toAPIDocumentError(d dbsqlc.Document) oas.NilDocumentError {
	if d.ErrorCode == nil || d.ErrorMessage == nil || d.ErrorRetryable == nil {
		return oas.NilDocumentError{Null: true}
	}
	return oas.NewNilDocumentError(oas.DocumentError{Code: *d.ErrorCode, Message: *d.ErrorMessage, Retryable: *d.ErrorRetryable})
}

func toAPIDocumentStage(stage *string) oas.NilDocumentStage {
	if stage == nil {
		return oas.NilDocumentStage{Null: true}
	}
	return oas.NewNilDocumentStage(oas.DocumentStage(*stage))
}

// nilInt converts a number that may be null.
func nilInt(n *int32) oas.NilInt {
	if n == nil {
		return oas.NilInt{Null: true}
	}
	return oas.NewNilInt(int(*n))
}

// nilShare converts a share, 0 to 1, that may be null. It rounds to hundredths.
func nilShare(share *float32) oas.NilFloat64 {
	if share == nil {
		return oas.NilFloat64{Null: true}
	}
	// Without rounding, float64(*share) would show digits that were never stored.
	return oas.NewNilFloat64(float64(int(*share*100+0.5)) / 100)
}

func toAPIDocumentList(page documents.Page) *oas.DocumentList {
	list := &oas.DocumentList{Documents: make([]oas.Document, len(page.Documents)), NextCursor: nullIfEmpty(page.NextCursor)}
	for i, d := range page.Documents {
		list.Documents[i] = toAPIDocument(d, page.VectorModel)
	}
	return list
}

func toAPIUploadReservation(r documents.Reservation) *oas.UploadReservation {
	return &oas.UploadReservation{
		DocumentID: r.Document.DocumentID, Filename: r.Document.Filename, UploadURL: r.UploadURL, MetadataUploadURL: r.MetadataUploadURL,
		MetadataBody: r.MetadataBody, ExpiresInSeconds: int(r.ExpiresIn.Seconds()), Instructions: r.Instructions,
	}
}

func toAPIDocumentConfirmed(d dbsqlc.Document) *oas.DocumentConfirmed {
	message := "The file was taken over. POST sync starts its ingestion."
	if d.Status != "uploaded" {
		message = "The file was taken over before."
	}
	return &oas.DocumentConfirmed{
		DocumentID: d.DocumentID, Status: oas.DocumentStatus(d.Status), SizeBytes: d.SizeBytes, Message: message,
	}
}

func toAPISyncResult(companyID, projectID string, started ingest.Started) *oas.SyncResult {
	result := &oas.SyncResult{
		DocumentCount: started.Documents, Statuses: []string{"STARTING"}, CompanyID: companyID, ProjectID: projectID,
		Message: fmt.Sprintf("Ingestion of %d documents has started.", started.Documents), JobID: nullIfEmpty(started.JobID),
	}
	switch started.Documents {
	case 0:
		result.Statuses, result.Message = []string{}, "There is nothing to ingest."
	case 1:
		result.Message = "Ingestion of 1 document has started."
	}
	return result
}
