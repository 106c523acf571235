package documents

import "docqa/internal/platform/apperr"

func errForeignCursor() error {
	return apperr.Invalid(apperr.CodeInvalidCursor, "the cursor is not valid")
}

func errObjectMissing() error {
	return apperr.Invalid(apperr.CodeObjectMissing, "no file was uploaded; PUT it to uploadUrl first")
}
