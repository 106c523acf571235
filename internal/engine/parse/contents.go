package parse

import "regexp"

var leader = regexp.MustCompile(`(?:\.{4,}|(?:\. ){4,}|…{2,})\s*[\dA-Z]{0,3}[-.]?[\divxlc]+$`)

// ContentsLine reports whether a line stands in a table of contents: dots lead to the number of
// a page.
func ContentsLine(text string) bool { return leader.MatchString(text) }
