package documents

import "docqa/internal/platform/apperr"

func errForeignCursor() error { return apperr.Invalid(apperr.CodeInvalidCursor, "the cursor is not valid") }

const codeObjectMissing = "object_missing"

func errObjectMissing() error {
	return apperr.Invalid(codeObjectMissing, "no file was uploaded; PUT it to uploadUrl first")
}

func errNoSuchObject() error { return apperr.Invalid(codeObjectMissing, "there is no such object") }

func errAmbiguous() error {
	return apperr.Conflict(apperr.CodeAmbiguousDocument, "several projects have, or have lately had, a document of this id: name the project by projectId")
}

func errObjectEmpty() error { return apperr.Invalid(apperr.CodeObjectEmpty, "the file is empty") }

func errObjectTooLarge() error {
	return apperr.Invalid(apperr.CodeObjectTooLarge, "the file is larger than 50 MB")
}

func errStorageFull() error {
	return apperr.Forbidden(apperr.CodePlanLimitReached, "the plan's storage is used up")
}
