package outbox

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
)

// Event is what happened. Its actor is the context's principal, or the system if there is none.
type Event struct {
	Type         Type
	ProjectID    string // empty: it belongs to the whole company
	ResourceType string
	ResourceID   string
	ResourceName string // empty for a resource that was deleted
	Summary      string // a sentence without its subject, for the feed
	Metadata     column.Strings
	At           time.Time
}

// Record stores e through db, which must be the transaction that makes the change.
func Record(ctx context.Context, db dbsqlc.DBTX, companyID string, e Event) error {
	by := actorOf(ctx)
	if e.Metadata == nil {
		e.Metadata = column.Strings{}
	}
	var projectID *string
	if e.ProjectID != "" {
		projectID = &e.ProjectID
	}
	err := dbsqlc.New().EventCreate(ctx, db, dbsqlc.EventCreateParams{
		CompanyID: companyID, EventID: ids.New(ids.Activity), Type: string(e.Type), ActorType: by.kind, ActorID: by.id, ActorName: by.name,
		ProjectID: projectID, ResourceType: e.ResourceType, ResourceID: e.ResourceID, ResourceName: e.ResourceName,
		Summary: e.Summary, Metadata: e.Metadata, Now: e.At,
	})
	if err != nil {
		return fmt.Errorf("record the event %s: %w", e.Type, err)
	}
	return nil
}

// actor is who caused an event, as the table stores it.
type actor struct {
	kind string // user, key, visitor or system
	id   *string
	name string
}

func actorOf(ctx context.Context) actor {
	system := actor{kind: "system", name: "system"}
	p, ok := authn.From(ctx)
	if !ok {
		return system
	}
	switch p.Kind {
	case authn.KindUser:
		return actor{kind: "user", id: &p.UserID, name: p.Email}
	case authn.KindKey, authn.KindEmbed:
		return actor{kind: "key", id: &p.KeyID, name: "API key"}
	case authn.KindShare:
		return actor{kind: "visitor", name: "visitor"}
	case authn.KindRagService, authn.KindAnonymous:
		return system
	}
	return system
}
