package projects

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
)

// KeyIssuer issues the keys of a deploy in its transaction.
type KeyIssuer interface {
	EnsurePair(ctx context.Context, tx pgx.Tx, companyID, projectID, by string) (apikeys.Pair, error)
}

// Deployment is what one deploy did.
type Deployment struct {
	DeploymentID string
	Project      dbsqlc.Project
	At           time.Time
	Documents    int
	Started      int // documents whose ingestion this deploy started
	Keys         apikeys.Pair
}

// Deploy publishes the project: ingests its waiting documents, issues the live pair of
// keys the first time, and leaves the project live, or indexing until the first
// ingestion has ended. A deployed project stays live. Errors: 404, 409 not_ready with
// the blockers.
//
// Source: main API section 4.9; docs/decisions.md#project-states, #deploy.
func (s *Service) Deploy(ctx context.Context, companyID, projectID, by string) (d Deployment, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		d, err = s.deploy(ctx, tx, companyID, projectID, by)
		return err
	})
	return d, err
}

func (s *Service) deploy(ctx context.Context, tx pgx.Tx, companyID, projectID, by string) (Deployment, error) {
	d := Deployment{DeploymentID: ids.New(ids.Deployment), At: s.Clock.Now()}
	before, err := s.lock(ctx, tx, companyID, projectID)
	if err != nil {
		return d, err
	}
	if err := s.checkReady(ctx, tx, before); err != nil {
		return d, err
	}
	if d.Started, err = s.Ingester.StartIngest(ctx, tx, companyID, projectID); err != nil {
		return d, fmt.Errorf("ingest the documents of a deploy: %w", err)
	}
	states, err := documentStates(ctx, tx, companyID, projectID)
	if err != nil {
		return d, err
	}
	d.Documents = int(states.Total)
	d.Project, err = dbsqlc.New().ProjectDeployed(ctx, tx, dbsqlc.ProjectDeployedParams{
		CompanyID: companyID, ProjectID: projectID, Status: statusAfter(before.Status, states.Processing > 0), Now: d.At,
	})
	if err != nil {
		return d, readError("mark the project as deployed", err)
	}
	if d.Keys, err = s.Keys.EnsurePair(ctx, tx, companyID, projectID, by); err != nil {
		return d, fmt.Errorf("issue the keys of a deploy: %w", err)
	}
	return d, s.record(ctx, tx, outbox.ProjectDeployed, "deployed the project", d.Project, map[string]string{"deploymentId": d.DeploymentID})
}

func statusAfter(before string, processing bool) string {
	if processing && before != Live {
		return Indexing
	}
	return Live
}

// checkReady is 409 not_ready where a check fails.
func (s *Service) checkReady(ctx context.Context, tx pgx.Tx, p dbsqlc.Project) error {
	readiness, err := s.assess(ctx, tx, p)
	if err != nil {
		return err
	}
	blockers := readiness.Named(Fail)
	if len(blockers) == 0 {
		return nil
	}
	refused := apperr.Conflict(apperr.CodeNotReady, "the project is not ready to be deployed")
	refused.Blockers = blockers
	return refused
}
