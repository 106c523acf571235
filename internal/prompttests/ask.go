package prompttests

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/panics"
)

const (
	askedAtOnce = 4
	requestTime = 100 * time.Second // for all questions of a run that a request waits for
	storeTime   = 10 * time.Second
)

// askAll asks the questions that have no result yet and stores each result as it comes. A
// question that cannot be answered gets the result error. askAll fails only for a reason that
// concerns all questions.
func (s *Service) askAll(ctx context.Context, project *dbsqlc.Project, items []dbsqlc.TestRunItem) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(askedAtOnce)
	for i := range items {
		if items[i].Result == nil {
			group.Go(func() error { return panics.Catch(func() error { return s.ask(ctx, project, &items[i]) }) })
		}
	}
	return group.Wait()
}

// ask asks one question. It stores the result also if ctx has ended.
func (s *Service) ask(ctx context.Context, project *dbsqlc.Project, item *dbsqlc.TestRunItem) error {
	began := s.Clock.Now()
	preview, err := s.Chat.Preview(ctx, item.CompanyID, project, item.Prompt)
	result, err := resultOf(item, &preview, err)
	if err != nil {
		return fmt.Errorf("ask question %d of test run %s: %w", item.Ordinal, item.TestRunID, err)
	}
	result.LatencyMS = int(s.Clock.Now().Sub(began).Milliseconds())
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	err = s.store(storing, item, &result)
	if err != nil {
		return fmt.Errorf("store result %d of test run %s: %w", item.Ordinal, item.TestRunID, err)
	}
	item.Result = &result
	return nil
}

// store stores a result. It leaves out the sources of documents that were deleted in the
// meantime.
func (s *Service) store(ctx context.Context, item *dbsqlc.TestRunItem, result *column.TestResult) error {
	q := dbsqlc.New()
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		stay, err := q.DocumentsStay(ctx, tx, dbsqlc.DocumentsStayParams{
			CompanyID: item.CompanyID, ProjectID: item.ProjectID, DocumentIds: result.Sources.Documents(),
		})
		if err != nil {
			return err
		}
		result.Sources = result.Sources.Redacted(stay)
		return q.TestRunItemResult(ctx, tx, dbsqlc.TestRunItemResultParams{
			CompanyID: item.CompanyID, ProjectID: item.ProjectID, TestRunID: item.TestRunID, Ordinal: item.Ordinal, Result: result,
		})
	})
}

// resultOf returns the result of an answer, or of an error that a client may read. It returns
// any other error.
func resultOf(item *dbsqlc.TestRunItem, preview *chat.PreviewResult, err error) (column.TestResult, error) {
	if err == nil {
		return checkAnswer(item, preview), nil
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind == apperr.KindInternal || e.Kind == apperr.KindUnavailable || errors.Is(err, context.Canceled) {
		return column.TestResult{}, err
	}
	return column.TestResult{Status: verdictError, Sources: column.Sources{}, Checks: []column.TestCheck{}, Error: e.Message}, nil
}
