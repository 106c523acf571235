package limits

import "slices"

// The plans, from the smallest to the largest.
const (
	PlanFree       = "free"
	PlanGrowth     = "growth"
	PlanPro        = "pro"
	PlanEnterprise = "enterprise"
)

// Plan is what a plan includes.
type Plan struct {
	Projects         int
	MessagesPerMonth int
	Seats            int
	StorageMB        int // binary megabytes
	LeadFormFields   int
	ChatPerMinute    int // questions with an integration key, per key
	ChatConcurrent   int // streams at once, per project
}

// StorageBytes is the storage limit in bytes.
func (p Plan) StorageBytes() int64 { return int64(p.StorageMB) << 20 }

// PlanOf returns what the named plan includes; an unknown name counts as free.
func PlanOf(name string) Plan {
	switch name {
	case PlanGrowth:
		return Plan{Projects: 2, MessagesPerMonth: 3000, Seats: 3, StorageMB: 2048, LeadFormFields: 5, ChatPerMinute: 60, ChatConcurrent: 20}
	case PlanPro:
		return Plan{Projects: 5, MessagesPerMonth: 20000, Seats: 10, StorageMB: 10240, LeadFormFields: 10, ChatPerMinute: 300, ChatConcurrent: 50}
	case PlanEnterprise:
		return Plan{Projects: 100, MessagesPerMonth: 100000, Seats: 100, StorageMB: 102400, LeadFormFields: 10, ChatPerMinute: 1000, ChatConcurrent: 200}
	default:
		return Plan{Projects: 1, MessagesPerMonth: 500, Seats: 2, StorageMB: 512, ChatPerMinute: 30, ChatConcurrent: 10}
	}
}

// PlanNames lists the plans from the smallest to the largest.
func PlanNames() []string { return []string{PlanFree, PlanGrowth, PlanPro, PlanEnterprise} }

// PlanIncludes tells whether plan have is at least plan want.
func PlanIncludes(have, want string) bool {
	names := PlanNames()
	return slices.Index(names, have) >= slices.Index(names, want)
}
