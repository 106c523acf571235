package files

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/parse"
)

// NameCharacters is how long a file name may be.
const NameCharacters = 255

// ContentType is the media type under which a format is stored and shown.
func ContentType(f parse.Format) string {
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

// Name makes a file name of a format from an id or a title that a service gave.
func Name(name string, format parse.Format) string {
	name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)), " ")
	if f, ok := parse.ByName(name); ok && f == format {
		return cutName(name, NameCharacters)
	}
	return cutName(name, NameCharacters-len(format)-1) + "." + string(format)
}

// cutName cuts a name at so many characters.
func cutName(name string, maxLength int) string {
	if runes := []rune(name); len(runes) > maxLength {
		return string(runes[:maxLength])
	}
	return name
}

// BaseName is what comes after the last slash of a key.
func BaseName(key string) string { return key[strings.LastIndexByte(key, '/')+1:] }

// PageFile is the last part of an address's path.
func PageFile(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return BaseName(strings.TrimSuffix(u.Path, "/"))
}

// PageName is the file name of a page: the end of its path, else its host.
func PageName(rawURL string, format parse.Format) string {
	if name := PageFile(rawURL); strings.TrimSpace(name) != "" && utf8.ValidString(name) {
		return Name(name, format)
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return Name("page", format)
	}
	return Name(strings.ReplaceAll(u.Hostname(), ".", "-"), format)
}
