package documents

import (
	"errors"

	"docqa/internal/apperr"
	"docqa/internal/engine/parse"
)

func errForeignCursor() error { return apperr.Invalid("invalid_cursor", "the cursor is not valid") }

func errObjectMissing() error {
	return apperr.Invalid("object_missing", "no file was uploaded; PUT it to uploadUrl first")
}

func errObjectEmpty() error { return apperr.Invalid("object_empty", "the uploaded file is empty") }

func errObjectTooLarge() error {
	return apperr.Invalid("object_too_large", "the uploaded file is larger than 50 MB")
}

func errStorageFull() error {
	return apperr.Forbidden("plan_limit_reached", "the plan's storage is used up")
}

// unsupported turns the parsers' refusal of a format into a 400.
func unsupported(err error) error {
	e, ok := errors.AsType[*parse.Error](err)
	if !ok {
		return err
	}
	return apperr.Invalid(e.Code, e.Message)
}
