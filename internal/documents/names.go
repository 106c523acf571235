package documents

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/apperr"
	"docqa/internal/engine/parse"
)

const filenameCharacters = 255

// checkName judges a file name; its format is another question.
//
// Gap: which names are accepted; our choice.
func checkName(filename string) error {
	switch {
	case strings.TrimSpace(filename) == "":
		return apperr.Validation("/filename", "must not be empty")
	case utf8.RuneCountInString(filename) > filenameCharacters:
		return apperr.Validation("/filename", "must have at most 255 characters")
	case !utf8.ValidString(filename) || strings.ContainsFunc(filename, unicode.IsControl):
		return apperr.Validation("/filename", "must not hold control characters")
	}
	return nil
}

// contentTypeOf is the media type under which a format is stored and shown.
func contentTypeOf(f parse.Format) string {
	switch f {
	case parse.Text:
		return "text/plain"
	case parse.Markdown:
		return "text/markdown"
	case parse.HTML:
		return "text/html"
	case parse.PDF:
		return "application/pdf"
	}
	return "application/octet-stream"
}
