package documents

import "docqa/internal/platform/apperr"

func errForeignCursor() error {
	return apperr.Invalid(apperr.CodeInvalidCursor, "the cursor is not valid")
}

const codeObjectMissing = "object_missing"

func errObjectMissing() error {
	return apperr.Invalid(codeObjectMissing, "no file was uploaded; PUT it to uploadUrl first")
}
