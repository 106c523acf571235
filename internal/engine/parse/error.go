package parse

import "errors"

// Error is a fault of the file, in words that its owner may read.
type Error struct {
	Code    string // stable, lower snake case
	Message string
	Err     error // the cause, may be nil
}

// Error returns the message and, where there is one, the cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// The codes of an Error.
const (
	CodeUnsupported = "unsupported_format"
	CodeFailed      = "parse_failed"
	CodePassword    = "password_protected"
	CodePages       = "too_many_pages"
	CodeTooLong     = "text_too_long"
	CodeNoText      = "no_text"
	CodeTimeout     = "timeout"
)

// Unsupported says that the format is not one that can be read, or not what the name says.
func Unsupported(message string) *Error { return &Error{Code: CodeUnsupported, Message: message} }

// Failed says that the file is damaged.
func Failed(cause error) *Error {
	return &Error{Code: CodeFailed, Message: "the file is damaged or not readable", Err: cause}
}

// PasswordProtected says that the file cannot be read without a password.
func PasswordProtected() *Error {
	return &Error{Code: CodePassword, Message: "the file is protected by a password"}
}

// TooManyPages says that the file has more than MaxPages pages.
func TooManyPages() *Error {
	return &Error{Code: CodePages, Message: "the file has more than 2,000 pages"}
}

// TooLong says that the file holds more than MaxText bytes of text or doc.MaxBlocks
// blocks, or takes more memory to read than it may.
func TooLong() *Error {
	return &Error{Code: CodeTooLong, Message: "the file is too long to be read; a file may hold 20 MB of text and 500,000 paragraphs and rows"}
}

// NoText says that nothing can be searched in the file.
func NoText() *Error { return &Error{Code: CodeNoText, Message: "the file holds no text"} }

// TimedOut says that reading the file took too long.
func TimedOut() *Error {
	return &Error{Code: CodeTimeout, Message: "reading the file took too long"}
}

// CodeOf returns the code of the Error in err's chain, "" where there is none.
func CodeOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}
