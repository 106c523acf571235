package jobargs

import "github.com/riverqueue/river"

// RunPromptTests asks the questions of a test run that have no result yet.
type RunPromptTests struct {
	CompanyID string `json:"company_id"`
	ProjectID string `json:"project_id"`
	TestRunID string `json:"test_run_id"`
}

// Company is the company whose rows the job may see.
func (j RunPromptTests) Company() string { return j.CompanyID }

// Kind names the job.
func (RunPromptTests) Kind() string { return "run_prompt_tests" }

// InsertOpts are the job's defaults.
func (RunPromptTests) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 5} }
