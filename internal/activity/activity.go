// Package activity writes the workspace's activity feed: one event for each change
// of state that people want to see later, in the transaction of the change itself.
//
// Source: main API section 4.12 (GET /v1/activity); docs/decisions.md#activity-feed.
package activity

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
)

// Event is one line of the feed. The actor is the context's principal, the system where there is none.
type Event struct {
	Type         string // <domain>.<what happened>, e.g. project.created
	ProjectID    string // empty: the workspace
	ResourceType string
	ResourceID   string
	ResourceName string
	Summary      string
	Metadata     column.Strings
	At           time.Time
}

// Record writes e through db, which is the transaction of the change it tells of.
func Record(ctx context.Context, db dbsqlc.DBTX, companyID string, e Event) error {
	actorType, actorID, actorName := actor(ctx)
	if e.Metadata == nil {
		e.Metadata = column.Strings{}
	}
	var projectID *string
	if e.ProjectID != "" {
		projectID = &e.ProjectID
	}
	err := dbsqlc.New().ActivityCreate(ctx, db, dbsqlc.ActivityCreateParams{
		CompanyID: companyID, EventID: ids.New(ids.Activity), Type: e.Type, ActorType: actorType, ActorID: actorID,
		ActorName: actorName, ProjectID: projectID, ResourceType: e.ResourceType, ResourceID: e.ResourceID,
		ResourceName: e.ResourceName, Summary: e.Summary, Metadata: e.Metadata, Now: e.At,
	})
	if err != nil {
		return fmt.Errorf("record activity %s: %w", e.Type, err)
	}
	return nil
}

func actor(ctx context.Context) (kind string, id *string, name string) {
	p, ok := authn.From(ctx)
	if !ok {
		return "system", nil, "system"
	}
	switch p.Kind {
	case authn.KindUser:
		return "user", &p.UserID, p.Email
	case authn.KindKey, authn.KindEmbed:
		return "key", &p.KeyID, "API key"
	case authn.KindShare:
		return "visitor", nil, "visitor"
	case authn.KindRagService, authn.KindAnonymous:
		return "system", nil, "system"
	}
	return "system", nil, "system"
}
