package generate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"docqa/eval/manuals/source"
)

var sentenceEnd = regexp.MustCompile(`[.!?]["')\]]*\s+`)

// sentences splits text of single spaces into sentences.
func sentences(text string) []string { return source.Split(text, sentenceEnd, source.IsAbbreviated) }

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// content returns the words of text that carry meaning.
func content(text string) []string {
	return slices.DeleteFunc(words(text), func(w string) bool { return len(w) < 4 || isCommon[w] })
}

var isCommon = func() map[string]bool { //nolint:gochecknoglobals // a table
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`about above after again also another because been before being below between both cannot causes could does
		doing done down during each either every example file files following from given have having here however instead into itself just
		like made make makes many may might more most much must name need neither never note number once only option options other others
		otherwise over same several shall should show shows since some specified specifies specify such than that their them then there
		these they this those through true false under unless until upon used user uses using value values very want were what when where
		whether which while will with within without would your this command commands argument arguments return returns default defaults
		function`) {
		set[w] = true
	}
	return set
}()
