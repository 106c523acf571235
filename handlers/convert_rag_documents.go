package handlers

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/gen/ragapi"
	"docqa/internal/ingest"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/column"
)

func fromAPIIngest(req *ragapi.RagIngestRequest) ingest.Source {
	return fromAPIDocumentInput(&ragapi.RagDocumentInput{
		DocumentID: req.DocumentID, Title: req.Title, Text: req.Text, URL: req.URL, ObjectKey: req.ObjectKey,
		ContentType: req.ContentType, Metadata: req.Metadata, Chunking: req.Chunking,
	})
}

func fromAPIDocumentInput(in *ragapi.RagDocumentInput) ingest.Source {
	return ingest.Source{
		ID: in.DocumentID.Or(""), Title: in.Title, Text: in.Text.Or(""), URL: in.URL.Or(""), ObjectKey: in.ObjectKey.Or(""),
		ContentType: in.ContentType.Or(""), Metadata: fromAPIMetadata(in.Metadata.Value),
		ChunkSize: fromAPISize(in.Chunking.Value.Size), ChunkOverlap: fromAPISize(in.Chunking.Value.Overlap),
	}
}

func fromAPISize(size ragapi.OptInt) *int32 {
	if !size.Set {
		return nil
	}
	n := int32(size.Value) // the contract bounds it
	return &n
}

func fromAPIMetadata(metadata ragapi.RagMetadata) column.Metadata {
	out := make(column.Metadata, len(metadata))
	for key, value := range metadata {
		out[key] = fromAPIRagValue(value)
	}
	return out
}

func toAPIRagJob(job dbsqlc.RagJob) *ragapi.RagJob {
	out := &ragapi.RagJob{
		JobID: job.JobID, Type: ragapi.RagJobType(job.Type), Status: ragapi.RagJobStatus(job.Status),
		Progress:  ragapi.RagJobProgress{Total: int(job.Total), Done: int(job.Done), Failed: int(job.Failed)},
		Errors:    make([]ragapi.RagJobError, len(job.Errors)),
		CreatedAt: ragTimestamp(job.CreatedAt), StartedAt: toAPIRagTime(job.StartedAt), CompletedAt: toAPIRagTime(job.CompletedAt),
	}
	for i, e := range job.Errors {
		out.Errors[i] = ragapi.RagJobError(e)
	}
	return out
}

func ragTimestamp(t time.Time) ragapi.Timestamp { return ragapi.Timestamp(apitype.NewTimestamp(t)) }

func toAPIRagTime(t *time.Time) ragapi.NilTimestamp {
	if t == nil {
		return ragapi.NilTimestamp{Null: true}
	}
	return ragapi.NewNilTimestamp(ragTimestamp(*t))
}
