package documents

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/parse"
	"docqa/internal/platform/apperr"
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

// filenameOf makes a file name of a format from an id or a title that a service gave.
func filenameOf(name string, format parse.Format) string {
	name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)), " ")
	if f, ok := parse.ByName(name); ok && f == format {
		return cutName(name, filenameCharacters)
	}
	return cutName(name, filenameCharacters-len(format)-1) + "." + string(format)
}

// cutName cuts a name at so many characters.
func cutName(name string, most int) string {
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most])
	}
	return name
}

// baseName is what comes after the last slash of a key.
func baseName(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// pageFile is the last part of an address's path.
func pageFile(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return baseName(strings.TrimSuffix(u.Path, "/"))
}

// pageName is the file name of a page: the end of its path, else its host.
func pageName(rawURL string, format parse.Format) string {
	if name := pageFile(rawURL); strings.TrimSpace(name) != "" && utf8.ValidString(name) {
		return filenameOf(name, format)
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return filenameOf("page", format)
	}
	return filenameOf(strings.ReplaceAll(u.Hostname(), ".", "-"), format)
}
