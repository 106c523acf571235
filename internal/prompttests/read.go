package prompttests

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/measure"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
)

// The states of a run.
const (
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// deadline returns when a run that has not ended counts as failed, as its process must be gone.
const deadline = time.Hour

// Run is a run with its questions. An item without a result has not been asked yet.
type Run struct {
	Row   dbsqlc.TestRun
	Items []dbsqlc.TestRunItem // in the order of the request
}

// Summary counts the results of a run.
type Summary struct {
	Total, Passed, Failed, Errors int
	AverageLatencyMS              float64 // 0 before the first result
}

// Get returns a run of the project. Error: NotFound.
func (s *Service) Get(ctx context.Context, companyID, projectID, testRunID string) (r Run, err error) {
	q := dbsqlc.New()
	r.Row, err = q.TestRunGet(ctx, s.Store.Pool(), dbsqlc.TestRunGetParams{CompanyID: companyID, ProjectID: projectID, TestRunID: testRunID})
	if store.IsNoRows(err) {
		return r, apperr.NotFound()
	}
	if err != nil {
		return r, fmt.Errorf("read test run %s: %w", testRunID, err)
	}
	if r.Row.Status == Running && s.Clock.Now().Sub(r.Row.StartedAt) > deadline {
		r.Row.Status = Failed
	}
	r.Items, err = q.TestRunItems(ctx, s.Store.Pool(), dbsqlc.TestRunItemsParams{CompanyID: companyID, ProjectID: projectID, TestRunID: testRunID})
	if err != nil {
		return r, fmt.Errorf("read the results of test run %s: %w", testRunID, err)
	}
	return r, nil
}

// Summary counts the results so far.
func (r *Run) Summary() Summary {
	sum, latency := Summary{Total: len(r.Items)}, 0
	for i := range r.Items {
		result := r.Items[i].Result
		if result == nil {
			continue
		}
		latency += result.LatencyMS
		switch result.Status {
		case verdictPass:
			sum.Passed++
		case verdictFail:
			sum.Failed++
		default:
			sum.Errors++
		}
	}
	if done := sum.Passed + sum.Failed + sum.Errors; done > 0 {
		sum.AverageLatencyMS = float64(latency) / float64(done)
	}
	return sum
}

// Ranking returns the mean over the questions that require sources; ok is false if none does.
func (r *Run) Ranking() (mean measure.Ranking, ok bool) {
	var list []measure.Ranking
	for i := range r.Items {
		if result := r.Items[i].Result; result != nil && result.Ranking != nil {
			list = append(list, measure.Ranking(*result.Ranking))
		}
	}
	return measure.Mean(list), len(list) > 0
}
