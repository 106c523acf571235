package mainapi

import (
	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/projects"
)

func toAPIOverview(o *projects.Overview) *oas.ProjectOverview {
	p, c := &o.Project, &o.Counts
	out := &oas.ProjectOverview{
		Project: oas.ProjectOverviewProject{ProjectID: p.ProjectID, Name: p.Name, Status: oas.ProjectStatus(p.Status)},
		Documents: oas.ProjectOverviewDocuments{
			Total: int(c.Total), Indexed: int(c.Indexed), Processing: int(c.Processing), Failed: int(c.Failed),
			StorageMB: float64(c.Bytes) / (1 << 20),
		},
		Usage: oas.ProjectOverviewUsage{MessagesThisMonth: int(c.MessagesThisMonth), Conversations7d: int(c.Conversations)},
		Quality: oas.ProjectOverviewQuality{
			ThumbsUp7d: int(c.ThumbsUp), ThumbsDown7d: int(c.ThumbsDown), WeakAnswers7d: int(c.WeakAnswers), Unresolved: int(c.Unresolved),
		},
		Setup: make([]oas.ProjectSetupStep, len(o.Setup)), SetupProgress: o.Progress(),
		RecentActivity: make([]oas.ActivityEvent, len(o.Events)),
	}
	for i, s := range o.Setup {
		out.Setup[i] = oas.ProjectSetupStep{Step: s.Name, Completed: s.Done, CompletedAt: nilTimestamp(s.At)}
	}
	for i := range o.Events {
		out.RecentActivity[i] = toAPIActivityEvent(&o.Events[i])
	}
	return out
}

func toAPIActivityEvent(e *dbsqlc.ActivityEvent) oas.ActivityEvent {
	out := oas.ActivityEvent{
		EventID: e.EventID, Type: e.Type, ProjectID: nilString(e.ProjectID), Summary: e.Summary, CreatedAt: timestamp(e.CreatedAt),
		Actor: oas.ActivityActor{
			Type: oas.ActivityActorType(e.ActorType), UserID: oas.NilString{Null: true}, KeyID: oas.NilString{Null: true},
			DisplayName: e.ActorName,
		},
		Resource: oas.ActivityResource{Type: e.ResourceType, ID: e.ResourceID, Name: e.ResourceName},
		Metadata: oas.ActivityEventMetadata(e.Metadata),
	}
	switch e.ActorType {
	case "user":
		out.Actor.UserID = nilString(e.ActorID)
	case "key":
		out.Actor.KeyID = nilString(e.ActorID)
	}
	return out
}

func toAPIReadiness(r projects.Readiness) *oas.DeployReadiness {
	out := &oas.DeployReadiness{
		Checks: make([]oas.DeployCheck, len(r.Checks)), Blockers: r.Named(projects.Fail), Warnings: r.Named(projects.Warn),
	}
	out.Ready = len(out.Blockers) == 0
	for i, c := range r.Checks {
		out.Checks[i] = oas.DeployCheck{Check: c.Name, Status: oas.DeployCheckStatus(c.Status), Message: c.Message, Action: nullIfEmpty(c.Action)}
	}
	return out
}
