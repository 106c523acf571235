package ragapi

import (
	"time"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/ragapi"
	"docqa/internal/ingest"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/column"
)

func fromAPIIngest(req *oas.RagIngestRequest) ingest.Source {
	return fromAPIDocumentInput(&oas.RagDocumentInput{
		DocumentID: req.DocumentID, Title: req.Title, Text: req.Text, URL: req.URL, ObjectKey: req.ObjectKey,
		ContentType: req.ContentType, Metadata: req.Metadata, Chunking: req.Chunking,
	})
}

func fromAPIDocumentInput(in *oas.RagDocumentInput) ingest.Source {
	return ingest.Source{
		ID: in.DocumentID.Or(""), Title: in.Title, Text: in.Text.Or(""), URL: in.URL.Or(""), ObjectKey: in.ObjectKey.Or(""),
		ContentType: in.ContentType.Or(""), Metadata: fromAPIMetadata(in.Metadata.Value),
		ChunkSize: fromAPISize(in.Chunking.Value.Size), ChunkOverlap: fromAPISize(in.Chunking.Value.Overlap),
	}
}

func fromAPISize(size oas.OptInt) *int32 {
	if !size.Set {
		return nil
	}
	n := int32(size.Value) // the contract bounds it
	return &n
}

func fromAPIMetadata(metadata oas.RagMetadata) column.Metadata {
	out := make(column.Metadata, len(metadata))
	for key, value := range metadata {
		out[key] = fromAPIRagValue(value)
	}
	return out
}

func toAPIRagJob(job dbsqlc.RagJob) *oas.RagJob {
	out := &oas.RagJob{
		JobID: job.JobID, Type: oas.RagJobType(job.Type), Status: oas.RagJobStatus(job.Status),
		Progress:  oas.RagJobProgress{Total: int(job.Total), Done: int(job.Done), Failed: int(job.Failed)},
		Errors:    make([]oas.RagJobError, len(job.Errors)),
		CreatedAt: ragTimestamp(job.CreatedAt), StartedAt: toAPIRagTime(job.StartedAt), CompletedAt: toAPIRagTime(job.CompletedAt),
	}
	for i, e := range job.Errors {
		out.Errors[i] = oas.RagJobError(e)
	}
	return out
}

func ragTimestamp(t time.Time) oas.Timestamp { return oas.Timestamp(apitype.NewTimestamp(t)) }

func toAPIRagTime(t *time.Time) oas.NilTimestamp {
	if t == nil {
		return oas.NilTimestamp{Null: true}
	}
	return oas.NewNilTimestamp(ragTimestamp(*t))
}
