package generate

import (
	"regexp"
	"strings"
)

var (
	longOption  = regexp.MustCompile(`(?:^|[\s,])(--[a-zA-Z][\w-]+)`)
	shortOption = regexp.MustCompile(`^(-[\w?#-]+)`)
	setting     = regexp.MustCompile(`^([A-Z]\w+=)$`)
	capitals    = regexp.MustCompile(`^([A-Z][A-Z_]{2,})\b`)
	identifier  = regexp.MustCompile(`^([A-Za-z_][\w.-]{2,30})$`)
)

// nameOf returns the name by which a user asks for a term, "" if the term has no good one: the long form of an option, a setting, a
// variable in capitals or an identifier.
func nameOf(term string) string {
	term = strings.TrimSpace(term)
	if strings.HasPrefix(term, "-") {
		if m := longOption.FindStringSubmatch(term); m != nil {
			return m[1]
		}
		if m := shortOption.FindStringSubmatch(term); m != nil {
			return m[1]
		}
		return ""
	}
	for _, form := range []*regexp.Regexp{setting, capitals, identifier} {
		if m := form.FindStringSubmatch(term); m != nil {
			return m[1]
		}
	}
	return ""
}
