package outbox

// Type names what happened, as <subject>.<verb>. The contract lists all of them
// (ActivityEvent.type); the ones here are those that the service records today.
type Type string

// The types of events.
const (
	BillingPlanChanged Type = "billing.plan_changed"

	DocumentUploaded Type = "document.uploaded"
	DocumentIndexed  Type = "document.indexed"
	DocumentFailed   Type = "document.failed"
	DocumentReplaced Type = "document.replaced"
	DocumentDeleted  Type = "document.deleted"

	KeyCreated Type = "key.created"
	KeyRevoked Type = "key.revoked"
	KeyRotated Type = "key.rotated"

	MemberJoined Type = "member.joined"

	ProjectCreated  Type = "project.created"
	ProjectUpdated  Type = "project.updated"
	ProjectDeployed Type = "project.deployed"
	ProjectArchived Type = "project.archived"

	SettingsUpdated Type = "settings.updated"

	TestRunCompleted Type = "test_run.completed"
)
