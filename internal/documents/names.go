package documents

import (
	"path"
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

// titleOf is the name that citations show: the file name without folders and
// extension, with spaces for underscores and hyphens.
//
// Gap: our choice (gaps section 11, retrieval).
func titleOf(filename string) string {
	base := filename[strings.LastIndexAny(filename, `/\`)+1:]
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
		base = stem
	}
	title := strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(base)), " ")
	if title == "" {
		return filename
	}
	return title
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
