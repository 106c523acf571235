package handlers

import (
	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/prompttests"
)

func toAPITestPrompt(t *dbsqlc.TestPrompt) mainapi.TestPrompt {
	out := mainapi.TestPrompt{
		TestID: t.TestID, Prompt: t.Prompt, ExpectedAnswer: nilString(t.ExpectedAnswer), RequiredSources: t.RequiredSources,
		Source: mainapi.TestPromptSource(t.Source), LastResult: mainapi.NilTestRunVerdict{Null: true}, LastRunAt: nilTimestamp(t.LastRunAt),
		CreatedAt: timestamp(t.CreatedAt), UpdatedAt: timestamp(t.UpdatedAt),
	}
	if t.LastResult != nil {
		out.LastResult = mainapi.NewNilTestRunVerdict(mainapi.TestRunVerdict(*t.LastResult))
	}
	return out
}

func fromAPITestPromptPatch(req *mainapi.TestPromptPatch) prompttests.Patch {
	p := prompttests.Patch{Prompt: pointer(req.Prompt.Get()), ClearExpected: req.ExpectedAnswer.Set && req.ExpectedAnswer.Null}
	if req.ExpectedAnswer.Set && !req.ExpectedAnswer.Null {
		p.ExpectedAnswer = &req.ExpectedAnswer.Value
	}
	if req.RequiredSources != nil {
		p.RequiredSources = new([]string(req.RequiredSources))
	}
	return p
}

func fromAPITestRun(req *mainapi.TestRunCreate) prompttests.Request {
	r := prompttests.Request{TestIDs: req.TestIds}
	for i := range req.Prompts {
		p := &req.Prompts[i]
		r.Prompts = append(r.Prompts, prompttests.Input{
			Prompt: p.Prompt, ExpectedAnswer: pointer(p.ExpectedAnswer.Get()), RequiredSources: p.RequiredSources,
		})
	}
	return r
}

func toAPITestRun(r *prompttests.Run) mainapi.TestRun {
	sum := r.Summary()
	out := mainapi.TestRun{
		TestRunID: r.Row.TestRunID, ProjectID: r.Row.ProjectID, Status: mainapi.TestRunStatus(r.Row.Status),
		StartedAt: timestamp(r.Row.StartedAt), CompletedAt: nilTimestamp(r.Row.CompletedAt), Results: []mainapi.TestRunResult{},
		Summary: mainapi.TestRunSummary{
			Total: sum.Total, Passed: sum.Passed, Failed: sum.Failed, Errors: sum.Errors, AverageLatencyMs: sum.AverageLatencyMS,
		},
	}
	if mean, ok := r.Ranking(); ok {
		out.Metrics = mainapi.NewOptTestRunMetrics(mainapi.TestRunMetrics{
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

func toAPITestResult(it *dbsqlc.TestRunItem) mainapi.TestRunResult {
	r := it.Result
	out := mainapi.TestRunResult{
		TestID: nilString(it.TestID), Prompt: it.Prompt, Answer: r.Answer, Sources: toAPISources(r.Sources),
		Status: mainapi.TestRunVerdict(r.Status), Checks: make([]mainapi.TestRunCheck, len(r.Checks)),
		Score: mainapi.NilFloat64{Null: true}, LatencyMs: r.LatencyMS, Error: filled(r.Error),
	}
	for i, c := range r.Checks {
		out.Checks[i] = mainapi.TestRunCheck(c)
	}
	if r.Score != nil {
		out.Score = mainapi.NewNilFloat64(*r.Score)
	}
	return out
}
