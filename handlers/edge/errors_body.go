package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/ogen-go/ogen/ogenerrors"
	"github.com/ogen-go/ogen/validate"

	"docqa/internal/platform/apperr"
)

const (
	maxDetails   = 20
	reasonLength = 200
)

// classifyBody answers a request body that did not decode.
func classifyBody(err *ogenerrors.DecodeRequestError) *apperr.Error {
	if errors.Is(err, validate.ErrBodyRequired) {
		return apperr.Invalid(apperr.CodeValidationError, "a JSON body is required")
	}
	if invalid, ok := errors.AsType[*validate.Error](err); ok {
		return validationError(invalid, decodedPath(err.Err))
	}
	body, ok := errors.AsType[*ogenerrors.DecodeBodyError](err)
	if !ok {
		return apperr.Invalid(apperr.CodeValidationError, "the request body is not valid")
	}
	if !json.Valid(body.Body) {
		return apperr.Invalid(apperr.CodeInvalidJSON, "the request body is not valid JSON")
	}
	path := decodedPath(body.Err)
	if name := unknownMember(body.Err); name != "" {
		return apperr.Validation(path+"/"+name, "is not a known member")
	}
	if path != "" {
		return apperr.Validation(path, "has the wrong type or value")
	}
	return apperr.Invalid(apperr.CodeValidationError, "the request body has the wrong shape")
}

// validationError returns an error that names the members that failed validation, as
// JSON pointers.
func validationError(err *validate.Error, prefix string) *apperr.Error {
	details := collect(nil, prefix, err)
	if len(details) == 0 {
		return apperr.Invalid(apperr.CodeValidationError, "the request is not valid")
	}
	e := apperr.Validation(details[0].Path, details[0].Message)
	e.Details = details
	return e
}

func collect(details []apperr.Detail, path string, err *validate.Error) []apperr.Detail {
	for _, f := range err.Fields {
		if len(details) >= maxDetails {
			break
		}
		at := path + "/" + pointerToken(f.Name)
		if nested, ok := errors.AsType[*validate.Error](f.Error); ok {
			details = collect(details, at, nested)
			continue
		}
		details = append(details, apperr.Detail{Path: at, Message: reason(f.Error)})
	}
	return details
}

// pointerToken converts a member's name to a token of a JSON pointer; "[3]" is an index.
func pointerToken(name string) string {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	return truncate(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

// reason says why a value was refused. The text is short and quotes nothing of the body.
func reason(err error) string {
	if errors.Is(err, validate.ErrFieldRequired) {
		return "is required"
	}
	if errors.Is(err, validate.ErrNilPointer) {
		return "must not be null"
	}
	if e, ok := errors.AsType[*validate.MinLengthError](err); ok {
		if e.MinLength == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %d characters or entries", e.MinLength)
	}
	if e, ok := errors.AsType[*validate.MaxLengthError](err); ok {
		return fmt.Sprintf("must have at most %d characters or entries", e.MaxLength)
	}
	if _, ok := errors.AsType[*validate.NoRegexMatchError](err); ok {
		return "does not have the expected form"
	}
	if _, ok := errors.AsType[*validate.DuplicateItemsError](err); ok {
		return "must not hold an entry twice"
	}
	switch m := boundText.FindStringSubmatch(err.Error()); {
	case m == nil:
		return "is not valid"
	case m[1] == "less":
		return "must be at least " + m[2]
	default:
		return "must be at most " + m[2]
	}
}

// boundText matches the error of the generated validators about a number that is too
// small or too large. Its second group is the bound without trailing zeros.
var boundText = regexp.MustCompile(`^(?:int|float|value)(?: ?: ?value)? -?[0-9.e+]+ (less|greater) than (-?[0-9]+(?:\.[0-9]*[1-9])?)(?:\.?0*)$`)

var unknownText = regexp.MustCompile(`: unexpected field \\?"([A-Za-z0-9_]{1,64})\\?"`)

// unknownMember returns the name of a member that the object's schema does not allow, if
// that member stopped the decoder; else "".
func unknownMember(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if m := unknownText.FindStringSubmatch(text[:min(len(text), 1000)]); m != nil {
		return m[1]
	}
	return ""
}

var fieldText = regexp.MustCompile(`decode field \\?"([A-Za-z0-9_]{1,64})\\?"`)

// decodedPath returns the JSON pointer of the member at which a decoder failed. Decoders
// name it only in the text of their error. That text may quote the whole body, so only
// its start is read.
func decodedPath(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	var path strings.Builder
	for _, m := range fieldText.FindAllStringSubmatch(text[:min(len(text), 1000)], 8) {
		path.WriteString("/" + m[1])
	}
	return path.String()
}

// truncate cuts s to reasonLength characters.
func truncate(s string) string {
	s = strings.ToValidUTF8(s, "")
	if utf8.RuneCountInString(s) <= reasonLength {
		return s
	}
	return string([]rune(s)[:reasonLength])
}
