package documents

import (
	"context"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
)

// record records what happened to d in db, the transaction of the change.
func record(ctx context.Context, db dbsqlc.DBTX, d dbsqlc.Document, what, summary string, at time.Time) error {
	return outbox.Record(ctx, db, d.CompanyID, outbox.OfDocument(&d, outbox.Type("document."+what), summary, at))
}
