package mainapi

import (
	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apitype"
	"docqa/internal/prompttests"
)

func toAPITestPrompt(t *dbsqlc.TestPrompt) oas.TestPrompt {
	out := oas.TestPrompt{
		TestID: t.TestID, Prompt: t.Prompt, ExpectedAnswer: nilString(t.ExpectedAnswer), RequiredSources: t.RequiredSources,
		Source: oas.TestPromptSource(t.Source), LastResult: oas.NilTestRunVerdict{Null: true}, LastRunAt: nilTimestamp(t.LastRunAt),
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
	if t.LastResult != nil {
		out.LastResult = oas.NewNilTestRunVerdict(oas.TestRunVerdict(*t.LastResult))
	}
	return out
}

func fromAPITestPromptPatch(req *oas.TestPromptPatch) prompttests.Patch {
	p := prompttests.Patch{Prompt: apitype.Pointer(req.Prompt.Get()), ClearExpected: req.ExpectedAnswer.Set && req.ExpectedAnswer.Null}
	if req.ExpectedAnswer.Set && !req.ExpectedAnswer.Null {
		p.ExpectedAnswer = &req.ExpectedAnswer.Value
	}
	if req.RequiredSources != nil {
		p.RequiredSources = new([]string(req.RequiredSources))
	}
	return p
}

func fromAPITestRun(req *oas.TestRunCreate) prompttests.Request {
	r := prompttests.Request{TestIDs: req.TestIds}
	for i := range req.Prompts {
		p := &req.Prompts[i]
		r.Prompts = append(r.Prompts, prompttests.Input{
			Prompt: p.Prompt, ExpectedAnswer: apitype.Pointer(p.ExpectedAnswer.Get()), RequiredSources: p.RequiredSources,
		})
	}
	return r
}

func toAPITestRun(r *prompttests.Run) oas.TestRun {
	sum := r.Summary()
	out := oas.TestRun{
		TestRunID: r.Row.TestRunID, ProjectID: r.Row.ProjectID, Status: oas.TestRunStatus(r.Row.Status),
		StartedAt: timestamp(r.Row.StartedAt), CompletedAt: nilTimestamp(r.Row.CompletedAt), Results: []oas.TestRunResult{},
		Summary: oas.TestRunSummary{
			Total: sum.Total, Passed: sum.Passed, Failed: sum.Failed, Errors: sum.Errors, AverageLatencyMs: sum.AverageLatencyMS,
		},
	}
	if mean, ok := r.Ranking(); ok {
		out.Metrics = oas.NewOptTestRunMetrics(oas.TestRunMetrics{
			Precision: mean.Precision, Recall: mean.Recall, Ndcg: mean.NDCG, Mrr: mean.MRR,
		})
	}
	for i := range r.Items {
		if r.Items[i].Result != nil {
			out.Results = append(out.Results, toAPITestResult(&r.Items[i]))
		}
	}
	return out
}

func toAPITestResult(it *dbsqlc.TestRunItem) oas.TestRunResult {
	r := it.Result
	out := oas.TestRunResult{
		TestID: nilString(it.TestID), Prompt: it.Prompt, Answer: r.Answer, Sources: toAPISources(r.Sources),
		Status: oas.TestRunVerdict(r.Status), Checks: make([]oas.TestRunCheck, len(r.Checks)),
		Score: oas.NilFloat64{Null: true}, LatencyMs: r.LatencyMS, Error: nullIfEmpty(r.Error),
	}
	for i, c := range r.Checks {
		out.Checks[i] = oas.TestRunCheck(c)
	}
	if r.Score != nil {
		out.Score = oas.NewNilFloat64(*r.Score)
	}
	return out
}
