package generate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var sentenceEnd = regexp.MustCompile(`[.!?]["')\]]*\s+`)

// sentences splits text of single spaces into sentences.
func sentences(text string) []string {
	var list []string
	begin := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		one := strings.TrimSpace(text[begin:at[1]])
		if isAbbreviated(one) {
			continue
		}
		list = append(list, one)
		begin = at[1]
	}
	if rest := strings.TrimSpace(text[begin:]); rest != "" {
		list = append(list, rest)
	}
	return list
}

func isAbbreviated(sentence string) bool {
	lower := strings.ToLower(strings.TrimRight(sentence, `"')]`))
	return slices.ContainsFunc([]string{"e.g.", "i.e.", "etc.", "cf.", "vs.", "ie.", "eg.", "(e. g.", " no.", " al.", " resp.", " approx.", " incl.", " e.", " i."}, func(end string) bool {
		return strings.HasSuffix(lower, end)
	})
}

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
