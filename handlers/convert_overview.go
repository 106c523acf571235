package handlers

import (
	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/projects"
)

func toAPIOverview(o *projects.Overview) *mainapi.ProjectOverview {
	p, c := &o.Project, &o.Counts
	out := &mainapi.ProjectOverview{
		Project: mainapi.ProjectOverviewProject{ProjectID: p.ProjectID, Name: p.Name, Status: mainapi.ProjectStatus(p.Status)},
		Documents: mainapi.ProjectOverviewDocuments{
			Total: int(c.Total), Indexed: int(c.Indexed), Processing: int(c.Processing), Failed: int(c.Failed),
			StorageMB: float64(c.Bytes) / (1 << 20),
		},
		Usage: mainapi.ProjectOverviewUsage{MessagesThisMonth: int(c.MessagesThisMonth), Conversations7d: int(c.Conversations)},
		Quality: mainapi.ProjectOverviewQuality{
			ThumbsUp7d: int(c.ThumbsUp), ThumbsDown7d: int(c.ThumbsDown), WeakAnswers7d: int(c.WeakAnswers), Unresolved: int(c.Unresolved),
		},
		Setup: make([]mainapi.ProjectSetupStep, len(o.Setup)), SetupProgress: o.Progress(),
		RecentActivity: make([]mainapi.ActivityEvent, len(o.Events)),
	}
	for i, s := range o.Setup {
		out.Setup[i] = mainapi.ProjectSetupStep{Step: s.Name, Completed: s.Done, CompletedAt: nilTimestamp(s.At)}
	}
	for i := range o.Events {
		out.RecentActivity[i] = toAPIActivityEvent(&o.Events[i])
	}
	return out
}

func toAPIActivityEvent(e *dbsqlc.ActivityEvent) mainapi.ActivityEvent {
	out := mainapi.ActivityEvent{
		EventID: e.EventID, Type: e.Type, ProjectID: nilString(e.ProjectID), Summary: e.Summary, CreatedAt: timestamp(e.CreatedAt),
		Actor: mainapi.ActivityActor{
			Type: mainapi.ActivityActorType(e.ActorType), UserID: mainapi.NilString{Null: true}, KeyID: mainapi.NilString{Null: true},
			DisplayName: e.ActorName,
		},
		Resource: mainapi.ActivityResource{Type: e.ResourceType, ID: e.ResourceID, Name: e.ResourceName},
		Metadata: mainapi.ActivityEventMetadata(e.Metadata),
	}
	switch e.ActorType {
	case "user":
		out.Actor.UserID = nilString(e.ActorID)
	case "key":
		out.Actor.KeyID = nilString(e.ActorID)
	}
	return out
}

func toAPIReadiness(r projects.Readiness) *mainapi.DeployReadiness {
	out := &mainapi.DeployReadiness{
		Checks: make([]mainapi.DeployCheck, len(r.Checks)), Blockers: r.Named(projects.Fail), Warnings: r.Named(projects.Warn),
	}
	out.Ready = len(out.Blockers) == 0
	for i, c := range r.Checks {
		out.Checks[i] = mainapi.DeployCheck{Check: c.Name, Status: mainapi.DeployCheckStatus(c.Status), Message: c.Message, Action: filled(c.Action)}
	}
	return out
}
