package documents

import (
	"context"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/activity"
	"docqa/internal/platform/column"
)

// record writes what happened to d into the activity feed, in the transaction db.
func record(ctx context.Context, db dbsqlc.DBTX, d dbsqlc.Document, what, summary string, at time.Time) error {
	return activity.Record(ctx, db, d.CompanyID, activity.Event{
		Type: "document." + what, ProjectID: d.ProjectID, ResourceType: "document", ResourceID: d.DocumentID,
		ResourceName: d.Filename, Summary: summary, Metadata: column.Strings{"filename": d.Filename}, At: at,
	})
}
