package handlers

import (
	"context"

	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/prompttests"
)

// TestsAPI keeps and runs the prompt tests of projects.
//
// Source: main API section 4.9.
type TestsAPI struct{ Tests *prompttests.Service }

// ListTestPrompts implements listTestPrompts.
func (a *TestsAPI) ListTestPrompts(ctx context.Context, params mainapi.ListTestPromptsParams) (*mainapi.TestPromptList, error) {
	rows, err := a.Tests.List(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	list := &mainapi.TestPromptList{TestPrompts: make([]mainapi.TestPrompt, len(rows))}
	for i := range rows {
		list.TestPrompts[i] = toAPITestPrompt(&rows[i])
	}
	return list, nil
}

// CreateTestPrompt implements createTestPrompt.
func (a *TestsAPI) CreateTestPrompt(
	ctx context.Context, req *mainapi.TestPromptCreate, _ mainapi.CreateTestPromptParams,
) (*mainapi.TestPromptResponse, error) {
	project, ok := projectFrom(ctx)
	if !ok {
		return nil, apperr.NotFound()
	}
	row, err := a.Tests.Create(ctx, &project, prompttests.Input{
		Prompt: req.Prompt, ExpectedAnswer: pointer(req.ExpectedAnswer.Get()), RequiredSources: req.RequiredSources,
	})
	return testPromptResponse(&row, err)
}

// UpdateTestPrompt implements updateTestPrompt.
func (a *TestsAPI) UpdateTestPrompt(
	ctx context.Context, req *mainapi.TestPromptPatch, params mainapi.UpdateTestPromptParams,
) (*mainapi.TestPromptResponse, error) {
	project, ok := projectFrom(ctx)
	if !ok {
		return nil, apperr.NotFound()
	}
	row, err := a.Tests.Patch(ctx, &project, params.TestID, fromAPITestPromptPatch(req))
	return testPromptResponse(&row, err)
}

// DeleteTestPrompt implements deleteTestPrompt.
func (a *TestsAPI) DeleteTestPrompt(ctx context.Context, params mainapi.DeleteTestPromptParams) (*mainapi.TestPromptDeleted, error) {
	if err := a.Tests.Delete(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.TestID); err != nil {
		return nil, err
	}
	return &mainapi.TestPromptDeleted{TestID: params.TestID, Deleted: true}, nil
}

// StartTestRun implements startTestRun: 202 while the run still runs.
func (a *TestsAPI) StartTestRun(ctx context.Context, req *mainapi.TestRunCreate, _ mainapi.StartTestRunParams) (mainapi.StartTestRunRes, error) {
	project, ok := projectFrom(ctx)
	if !ok {
		return nil, apperr.NotFound()
	}
	run, err := a.Tests.Start(ctx, &project, fromAPITestRun(req))
	if err != nil {
		return nil, err
	}
	if run.Row.Status == prompttests.Running {
		return &mainapi.StartTestRunAccepted{TestRun: toAPITestRun(&run)}, nil
	}
	return &mainapi.StartTestRunOK{TestRun: toAPITestRun(&run)}, nil
}

// GetTestRun implements getTestRun.
func (a *TestsAPI) GetTestRun(ctx context.Context, params mainapi.GetTestRunParams) (*mainapi.TestRunResponse, error) {
	run, err := a.Tests.Get(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.TestRunID)
	if err != nil {
		return nil, err
	}
	return &mainapi.TestRunResponse{TestRun: toAPITestRun(&run)}, nil
}

func testPromptResponse(row *dbsqlc.TestPrompt, err error) (*mainapi.TestPromptResponse, error) {
	if err != nil {
		return nil, err
	}
	return &mainapi.TestPromptResponse{TestPrompt: toAPITestPrompt(row)}, nil
}
