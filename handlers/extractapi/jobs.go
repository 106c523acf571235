package extractapi

import (
	"context"

	oas "docqa/gen/extractapi"
	"docqa/internal/platform/apperr"
)

// JobsAPI serves the jobs that extract data from files.
type JobsAPI struct{}

// SubmitExtractJob refuses direct submission, whatever is sent.
//
// Source: Extract API section 4 (POST /v1/extract/jobs).
func (*JobsAPI) SubmitExtractJob(context.Context) (*oas.ConfirmExtractJobResponse, error) {
	return nil, apperr.Invalid("validation_error", "submit files through POST /v1/extract/upload-urls")
}
