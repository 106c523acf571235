// Package names cleans the names that people give and makes slugs of them. The services check
// which names are free.
package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"docqa/internal/platform/apperr"
)

// SlugCharacters is the maximum length of a slug.
const SlugCharacters = 60

// Name returns s without surrounding white space. It must hold 1 to maxCharacters characters
// and no control characters. Otherwise it returns a 400 that names the member at path.
func Name(path, s string, maxCharacters int) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return "", apperr.Validation(path, "must not be blank")
	case utf8.RuneCountInString(s) > maxCharacters:
		return "", apperr.Validation(path, fmt.Sprintf("must not be longer than %d characters", maxCharacters))
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", apperr.Validation(path, "must not contain control characters")
	}
	return s, nil
}

// Text returns s unchanged. It must hold at most maxCharacters characters, and no control
// characters except line ends and tabs.
func Text(path, s string, maxCharacters int) (string, error) {
	if utf8.RuneCountInString(s) > maxCharacters {
		return "", apperr.Validation(path, fmt.Sprintf("must not be longer than %d characters", maxCharacters))
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }) {
		return "", apperr.Validation(path, "must not contain control characters")
	}
	return s, nil
}

// Slug makes a slug of a-z, 0-9 and single hyphens from name, without accents; it returns
// fallback if nothing is left. A slug has at most SlugCharacters characters.
func Slug(name, fallback string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case letters(r) != "":
			b.WriteString(letters(r))
		case unicode.Is(unicode.Mn, r), r == '\'', r == '\u2019':
		default:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
	}
	slug := b.String()
	slug = strings.Trim(slug[:min(len(slug), SlugCharacters)], "-")
	if slug == "" {
		return fallback
	}
	return slug
}

// WithSuffix returns slug-suffix. It shortens slug so that the whole fits.
func WithSuffix(slug, suffix string) string {
	maxBytes := SlugCharacters - len(suffix) - 1
	return strings.TrimRight(slug[:min(len(slug), maxBytes)], "-") + "-" + suffix
}

// letters spells Latin letters that have no decomposition into a letter and an accent.
func letters(r rune) string {
	switch r {
	case '\u00df':
		return "ss"
	case '\u00e6':
		return "ae"
	case '\u0153':
		return "oe"
	case '\u00f8':
		return "o"
	case '\u0142':
		return "l"
	case '\u0111', '\u00f0':
		return "d"
	case '\u00fe':
		return "th"
	case '\u0131':
		return "i"
	default:
		return ""
	}
}
