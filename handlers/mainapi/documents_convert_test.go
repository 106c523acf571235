package mainapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/ingest"
	"docqa/internal/platform/column"
)

func TestToAPIDocument(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 9, 15, 2, 123_456_789, time.FixedZone("", 3600))
	base := dbsqlc.Document{
		DocumentID: "doc_1", ProjectID: "prj_1", Filename: "a.txt", ContentType: "text/plain", SourceType: "upload",
		VersionNumber: 1, UpdatedAt: at,
	}
	for status, c := range map[string]struct {
		change func(*dbsqlc.Document)
		want   string
	}{
		"pending": {
			change: func(*dbsqlc.Document) {},
			want:   `"uploadedAt":null,"pageCount":null,"indexedAt":null,"error":null,"sha256":null,"language":null,"stage":null,"progress":null,"sizeBytes":0,"chunkCount":0,"queuedAt":null,"searchable":"none","leftOut":null`,
		},
		"processing": {
			change: func(d *dbsqlc.Document) {
				stage, share, pages := "chunking", float32(0.6), int32(12)
				d.Stage, d.Progress, d.PageCount, d.UploadedAt, d.SizeBytes, d.QueuedAt = &stage, &share, &pages, &at, 5, &at
			},
			want: `"uploadedAt":"2026-01-31T08:15:02.123Z","pageCount":12,"indexedAt":null,"error":null,"sha256":null,"language":null,"stage":"chunking","progress":0.6,"sizeBytes":5,"chunkCount":0,"queuedAt":"2026-01-31T08:15:02.123Z","searchable":"none","leftOut":null`,
		},
		"indexed": {
			change: func(d *dbsqlc.Document) {
				d.ChunkCount, d.VectorModels = 3, []string{"model@1"}
				d.LeftOut = &column.LeftOut{Characters: 100, Reasons: []column.LeftOutPart{{Reason: "hidden", Characters: 20}, {Reason: "navigation", Characters: 10}}}
			},
			want: `"uploadedAt":null,"pageCount":null,"indexedAt":null,"error":null,"sha256":null,"language":null,"stage":null,"progress":null,"sizeBytes":0,"chunkCount":3,"queuedAt":null,"searchable":"words_and_vectors","leftOut":{"characters":30,"share":0.3,"reasons":[{"reason":"hidden","characters":20,"share":0.2},{"reason":"navigation","characters":10,"share":0.1}]}`,
		},
		"failed": {
			change: func(d *dbsqlc.Document) {
				code, message, again := "no_text", "the file holds no text", false
				d.ErrorCode, d.ErrorMessage, d.ErrorRetryable = &code, &message, &again
			},
			want: `"uploadedAt":null,"pageCount":null,"indexedAt":null,"error":{"code":"no_text","message":"the file holds no text","retryable":false},"sha256":null,"language":null,"stage":null,"progress":null,"sizeBytes":0,"chunkCount":0,"queuedAt":null,"searchable":"none","leftOut":null`,
		},
	} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			d := base
			d.Status = status
			c.change(&d)
			got := toAPIDocument(d, "model@1")
			require.NoError(t, got.Validate())
			text, err := got.MarshalJSON()
			require.NoError(t, err)
			require.JSONEq(t, `{"documentId":"doc_1","projectId":"prj_1","filename":"a.txt","status":"`+status+`","contentType":"text/plain",
				"sourceType":"upload","sourceUrl":null,"versionNumber":1,"updatedAt":"2026-01-31T08:15:02.123Z",`+c.want+`}`, string(text))
		})
	}
}

func TestToAPISyncResult(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]oas.SyncResult{
		0: {Statuses: []string{}, Message: "There is nothing to ingest.", JobID: oas.NilString{Null: true}},
		1: {Statuses: []string{"STARTING"}, Message: "Ingestion of 1 document has started.", JobID: oas.NewNilString("job_1")},
		2: {Statuses: []string{"STARTING"}, Message: "Ingestion of 2 documents has started.", JobID: oas.NewNilString("job_1")},
	} {
		want.DocumentCount, want.CompanyID, want.ProjectID = n, "cmp_1", "prj_1"
		started := ingest.Started{Documents: n}
		if n > 0 {
			started.JobID = "job_1"
		}
		got := toAPISyncResult("cmp_1", "prj_1", started)
		require.Equal(t, &want, got)
		require.NoError(t, got.Validate())
	}
}
