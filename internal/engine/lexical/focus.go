package lexical

import (
	"strings"

	"docqa/internal/engine/sentence"
)

// Aside is the weight of a word that only the sentences behind a question hold: how the
// answer shall be made ("Base it on the balance sheet.", "If there is none, say why.").
const Aside = 0.4

// Focus divides a turn into what it asks, with what leads up to that, and the sentences
// behind which ask nothing; aside is empty where there are none.
func Focus(text string) (asked, aside string) {
	if !strings.ContainsAny(text, "?？؟") {
		return text, ""
	}
	var before, behind []string
	some := false
	for _, at := range sentence.Split(text) {
		s := text[at.Start:at.End]
		asks := strings.ContainsAny(s, "?？؟")
		some = some || asks
		if some && !asks {
			behind = append(behind, s)
			continue
		}
		before = append(before, s)
	}
	if len(behind) == 0 {
		return text, ""
	}
	return strings.Join(before, " "), strings.Join(behind, " ")
}
