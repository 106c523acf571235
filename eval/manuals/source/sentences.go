package source

import (
	"regexp"
	"slices"
	"strings"
)

// Split splits text behind each match of end. What goesOn reports true for belongs to the text behind it.
func Split(text string, end *regexp.Regexp, goesOn func(part string) bool) []string {
	var list []string
	begin := 0
	for _, at := range end.FindAllStringIndex(text, -1) {
		if part := strings.TrimSpace(text[begin:at[1]]); part != "" && !goesOn(part) {
			list = append(list, part)
			begin = at[1]
		}
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		list = append(list, rest)
	}
	return list
}

// IsAbbreviated reports whether the full stop at the end of text belongs to an abbreviation.
func IsAbbreviated(text string) bool {
	lower := strings.ToLower(strings.TrimRight(text, `"')]`))
	return slices.ContainsFunc([]string{
		"e.g.", "i.e.", "etc.", "cf.", "vs.", "ie.", "eg.", "(e. g.", " no.", " al.", "aka.", "resp.", "approx.", " incl.", " e.", " i.", ",...",
	}, func(end string) bool { return strings.HasSuffix(lower, end) })
}
