package outbox

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/column"
)

// OfDocument returns an event about the document d.
func OfDocument(d *dbsqlc.Document, what Type, summary string, at time.Time) Event {
	return Event{
		Type: what, ProjectID: d.ProjectID, ResourceType: "document", ResourceID: d.DocumentID,
		ResourceName: d.Filename, Summary: summary, Metadata: column.Strings{"filename": d.Filename}, At: at,
	}
}
