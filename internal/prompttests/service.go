package prompttests

import (
	"context"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// The limits of tests and runs.
//
// Gap: docs/decisions.md#prompt-tests; how many runs are kept is our choice.
const (
	maxSaved       = 200 // in a project
	maxAtOnce      = 50  // questions of a run
	maxInRequest   = 10  // questions that a request waits for; a job runs more
	runsKept       = 100 // in a project
	expectedLength = 5000
	maxSources     = 20 // that a test requires
	titleLength    = 255
)

// Asker answers questions without storing them. *chat.Service is one.
type Asker interface {
	Preview(ctx context.Context, companyID string, project *dbsqlc.Project, question string) (chat.PreviewResult, error)
}

// Jobs inserts jobs in a transaction. *river.Client[pgx.Tx] is one.
type Jobs interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// Deps are what a Service needs.
type Deps struct {
	Store  *store.Store
	Clock  clock.Clock
	Chat   Asker
	Jobs   Jobs
	Logger *slog.Logger
}

// Service stores and runs prompt tests. Safe for concurrent use.
type Service struct {
	Deps
}

// New returns the service.
func New(d Deps) *Service { return &Service{Deps: d} }
