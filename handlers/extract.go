package handlers

import (
	"context"

	"docqa/gen/extractapi"
	"docqa/internal/platform/apperr"
)

// Extract fills in the generated server of the Extract API.
type Extract struct {
	Enabled bool // ENABLE_EXTRACT; while off, /v1/extract answers 404
	Version string

	fallbackExtract
	classifier classifier
}

type fallbackExtract struct {
	extractapi.UnimplementedHandler
}

var _ extractapi.Handler = (*Extract)(nil)

// NewError answers an error of a handler or a credential.
func (x *Extract) NewError(ctx context.Context, err error) *extractapi.ErrorStatusCode {
	return x.classifier.extractError(ctx, err)
}

// GetExtractHealth says whether the Extract API is there.
//
// Source: Extract API section 4; docs/decisions.md#services-of-one-binary, #extract-switch.
func (x *Extract) GetExtractHealth(context.Context) (*extractapi.ExtractHealth, error) {
	check := "disabled"
	if x.Enabled {
		check = "ok"
	}
	return &extractapi.ExtractHealth{Status: "ok", Version: x.Version, Checks: extractapi.ExtractHealthChecks{Extract: check}}, nil
}

// SubmitExtractJob refuses direct submission, whatever is sent.
//
// Source: Extract API section 4 (POST /v1/extract/jobs).
func (x *Extract) SubmitExtractJob(context.Context) (*extractapi.ConfirmExtractJobResponse, error) {
	return nil, apperr.Invalid("validation_error", "submit files through POST /v1/extract/upload-urls")
}
