package mainapi

import (
	"context"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/authn"
	"docqa/internal/prompttests"
)

// TestsAPI serves the prompt tests of projects and their runs.
//
// Source: main API section 4.9.
type TestsAPI struct{ Tests *prompttests.Service }

// ListTestPrompts implements listTestPrompts.
func (a *TestsAPI) ListTestPrompts(ctx context.Context, params oas.ListTestPromptsParams) (*oas.TestPromptList, error) {
	rows, err := a.Tests.List(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	list := &oas.TestPromptList{TestPrompts: make([]oas.TestPrompt, len(rows))}
	for i := range rows {
		list.TestPrompts[i] = toAPITestPrompt(&rows[i])
	}
	return list, nil
}

// CreateTestPrompt implements createTestPrompt.
func (a *TestsAPI) CreateTestPrompt(
	ctx context.Context, req *oas.TestPromptCreate, _ oas.CreateTestPromptParams,
) (*oas.TestPromptResponse, error) {
	project, err := edge.Project(ctx)
	if err != nil {
		return nil, err
	}
	row, err := a.Tests.Create(ctx, &project, prompttests.Input{
		Prompt: req.Prompt, ExpectedAnswer: apitype.Pointer(req.ExpectedAnswer.Get()), RequiredSources: req.RequiredSources,
	})
	return testPromptResponse(&row, err)
}

// UpdateTestPrompt implements updateTestPrompt.
func (a *TestsAPI) UpdateTestPrompt(
	ctx context.Context, req *oas.TestPromptPatch, params oas.UpdateTestPromptParams,
) (*oas.TestPromptResponse, error) {
	project, err := edge.Project(ctx)
	if err != nil {
		return nil, err
	}
	row, err := a.Tests.Patch(ctx, &project, params.TestID, fromAPITestPromptPatch(req))
	return testPromptResponse(&row, err)
}

// DeleteTestPrompt implements deleteTestPrompt.
func (a *TestsAPI) DeleteTestPrompt(ctx context.Context, params oas.DeleteTestPromptParams) (*oas.TestPromptDeleted, error) {
	if err := a.Tests.Delete(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.TestID); err != nil {
		return nil, err
	}
	return &oas.TestPromptDeleted{TestID: params.TestID, Deleted: true}, nil
}

// StartTestRun implements startTestRun. It answers 202 if the run has not ended yet.
func (a *TestsAPI) StartTestRun(ctx context.Context, req *oas.TestRunCreate, _ oas.StartTestRunParams) (oas.StartTestRunRes, error) {
	project, err := edge.Project(ctx)
	if err != nil {
		return nil, err
	}
	run, err := a.Tests.Start(ctx, &project, fromAPITestRun(req))
	if err != nil {
		return nil, err
	}
	if run.Row.Status == prompttests.Running {
		return &oas.StartTestRunAccepted{TestRun: toAPITestRun(&run)}, nil
	}
	return &oas.StartTestRunOK{TestRun: toAPITestRun(&run)}, nil
}

// GetTestRun implements getTestRun.
func (a *TestsAPI) GetTestRun(ctx context.Context, params oas.GetTestRunParams) (*oas.TestRunResponse, error) {
	run, err := a.Tests.Get(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.TestRunID)
	if err != nil {
		return nil, err
	}
	return &oas.TestRunResponse{TestRun: toAPITestRun(&run)}, nil
}

func testPromptResponse(row *dbsqlc.TestPrompt, err error) (*oas.TestPromptResponse, error) {
	if err != nil {
		return nil, err
	}
	return &oas.TestPromptResponse{TestPrompt: toAPITestPrompt(row)}, nil
}
