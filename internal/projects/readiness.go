package projects

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// The checks before a deploy. A failed check stops the deploy; other checks only warn.
//
// Source: docs/decisions.md#deploy-readiness, #deploy.
const (
	checkHasDocuments = "has_documents"
	checkIndexed      = "documents_indexed"
	checkNoFailed     = "no_failed_documents" // can fail
	checkOrigins      = "allowed_origins"
	checkTests        = "prompt_tests_passing"
	checkPlan         = "plan_limits"     // can fail
	checkModel        = "model_available" // can fail
	checkWidget       = "widget_config"
)

// The results of a check.
const (
	Pass = "pass"
	Warn = "warn"
	Fail = "fail"
)

// Check is one line of the list before a deploy.
type Check struct {
	Name    string
	Status  string // Pass, Warn or Fail
	Message string
	Action  string // what to do about it; empty if the check passes
}

// Readiness is the list before a deploy.
type Readiness struct{ Checks []Check }

// Named returns the names of the checks with this status; never nil.
func (r Readiness) Named(status string) []string {
	names := []string{}
	for _, c := range r.Checks {
		if c.Status == status {
			names = append(names, c.Name)
		}
	}
	return names
}

// Readiness makes the checks that Deploy makes, without deploying. Error: 404.
func (s *Service) Readiness(ctx context.Context, companyID, projectID string) (Readiness, error) {
	p, err := s.Get(ctx, companyID, projectID)
	if err != nil {
		return Readiness{}, err
	}
	return s.assess(ctx, s.Store.Pool(), p)
}

func (s *Service) assess(ctx context.Context, db dbsqlc.DBTX, p dbsqlc.Project) (Readiness, error) {
	states, err := documentStates(ctx, db, p.CompanyID, p.ProjectID)
	if err != nil {
		return Readiness{}, err
	}
	tests, err := dbsqlc.New().ProjectTestStates(ctx, db, dbsqlc.ProjectTestStatesParams{CompanyID: p.CompanyID, ProjectID: p.ProjectID})
	if err != nil {
		return Readiness{}, fmt.Errorf("count the prompt tests of a project: %w", err)
	}
	exceeded, err := planExceeded(ctx, db, p)
	if err != nil {
		return Readiness{}, err
	}
	return Readiness{Checks: []Check{
		condition{
			checkHasDocuments, Warn, documentsOf(states.Total), "The project has no documents.", "Upload documents, or crawl a website.",
		}.check(states.Total > 0),
		condition{
			checkIndexed, Warn, fmt.Sprintf("%d of %d documents are indexed.", states.Indexed, states.Total),
			fmt.Sprintf("%d of %d documents are indexed.", states.Indexed, states.Total), "Sync the project, and wait until its documents are indexed.",
		}.check(states.Total > 0 && states.Indexed == states.Total),
		condition{
			checkNoFailed, failedDocuments(states.Indexed == 0), "No document failed.", fmt.Sprintf("%d documents failed.", states.Failed),
			"Look at the errors of the failed documents, then replace, delete or sync them.",
		}.check(states.Failed == 0),
		condition{
			checkOrigins, Warn, "Browsers of the allowed origins may ask.", "No browser origin is allowed.",
			"Add the origins of your site to allowedOrigins.",
		}.check(len(p.AllowedOrigins) > 0),
		checkPromptTests(tests),
		condition{
			checkPlan, Fail, "The company is within its plan.", "The company holds more than its plan includes.",
			"Remove projects or documents, or choose a larger plan.",
		}.check(!exceeded),
		condition{
			checkModel, Fail, "The model is available.", "The project's model is not available.", "Choose another model.",
		}.check(s.Models.Has(p.ChatModelArn)),
		condition{
			checkWidget, Warn, "The widget is enabled and greets its visitors.", "The widget is disabled or has no welcome message.",
			"Enable the widget and give it a welcome message.",
		}.check(p.Widget.Enabled && p.Widget.WelcomeMessage != ""),
	}}, nil
}

// condition describes one check: its name and the texts of its results.
type condition struct {
	name    string
	failing string // the status if the condition does not hold: Warn or Fail
	good    string // the message if it holds
	bad     string // the message if it does not
	action  string // what to do then
}

// check returns the result of the check.
func (c condition) check(holds bool) Check {
	if holds {
		return Check{Name: c.name, Status: Pass, Message: c.good}
	}
	return Check{Name: c.name, Status: c.failing, Message: c.bad, Action: c.action}
}

// failedDocuments returns the status if documents failed: Warn if at least one document is
// indexed, else Fail.
func failedDocuments(noneIndexed bool) string {
	if noneIndexed {
		return Fail
	}
	return Warn
}

func checkPromptTests(tests dbsqlc.ProjectTestStatesRow) Check {
	if tests.Ran == 0 {
		return Check{Name: checkTests, Status: Warn, Message: "No saved prompt test has run.", Action: "Save prompt tests and run them."}
	}
	return condition{
		checkTests, Warn, fmt.Sprintf("All %d saved prompt tests that have run passed.", tests.Ran),
		fmt.Sprintf("%d of %d saved prompt tests failed.", tests.Failing, tests.Ran), "Look at the failed prompt tests, and run them again.",
	}.check(tests.Failing == 0)
}

func documentsOf(n int32) string {
	if n == 1 {
		return "The project has 1 document."
	}
	return fmt.Sprintf("The project has %d documents.", n)
}

func documentStates(ctx context.Context, db dbsqlc.DBTX, companyID, projectID string) (dbsqlc.ProjectDocumentStatesRow, error) {
	states, err := dbsqlc.New().ProjectDocumentStates(ctx, db, dbsqlc.ProjectDocumentStatesParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return states, fmt.Errorf("count the documents of a project: %w", err)
	}
	return states, nil
}

// planExceeded reports whether the plan does not include the project, or the documents of the
// company exceed the plan's storage. Both can happen after a downgrade.
func planExceeded(ctx context.Context, db dbsqlc.DBTX, p dbsqlc.Project) (bool, error) {
	err := planlimit.CheckProject(ctx, db, p.CompanyID, p.ProjectID)
	if err != nil {
		if apperr.KindOf(err) == apperr.KindForbidden {
			err = nil
		}
		return true, err
	}
	company, err := dbsqlc.New().CompanyGet(ctx, db, p.CompanyID)
	if err != nil {
		return false, readError("read the company", err)
	}
	bytes, err := dbsqlc.New().DocumentStorageUsed(ctx, db, p.CompanyID)
	if err != nil {
		return false, fmt.Errorf("count stored bytes: %w", err)
	}
	return bytes > limits.PlanOf(company.Plan).StorageBytes(), nil
}
