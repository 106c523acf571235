package grounded

import (
	"regexp"
	"sync"
)

// pattern holds the regular expressions of the package.
type pattern struct {
	numbers  *regexp.Regexp // what stands between the brackets of a marker
	superTag *regexp.Regexp // <sup>1</sup>
	digits   *regexp.Regexp
	scheme   *regexp.Regexp // what makes a text an address, at its beginning
	mail     *regexp.Regexp
	tag      *regexp.Regexp // a tag of HTML
	ownMarks *regexp.Regexp // the beginning of a mark of the prompt
	answered *regexp.Regexp // the markers of an earlier answer
	token    *regexp.Regexp // a word with the white space before it
}

// patterns compiles them when the first model is made: not every process has one.
var patterns = sync.OnceValue(func() *pattern { //nolint:gochecknoglobals // compiled once, for all models
	const (
		name = `passages?|sources?|docs?|documents?|refs?|references?|excerpts?|citations?|cite|chunks?|context|quellen?|passagen?|textstellen?|` +
			`abschnitte?|dokumente?|fuentes?|pasajes?|fragmentos?|fontes?|fonti|fonte|passaggio|passaggi|trechos?|passagens?|passagem|bron|bronnen|` + //nolint:misspell // Portuguese
			`källa|kilde|lähde|kaynak|источники?|фрагменты?|отрывки?|المصدر|المقطع|来源|段落|文档|出典|資料|출처|문서`
		and  = `[,;、，&+/]|and|und|et|y|e|en|och|og|ja|ve|и|і|și|和|及|と|-|–|—|to|bis|à|a`
		one  = `\^?#?\d{1,9}`
		list = one + `(?:\s*(?:` + and + `)\s*(?:(?:` + name + `)\s*)?` + one + `)*`
	)
	return &pattern{
		numbers:  regexp.MustCompile(`(?i)^\s*(?:(` + name + `)\s*[:.]?\s*)?(` + list + `)(:\d+)?(†.*)?\s*$`),
		superTag: regexp.MustCompile(`(?i)^<sup>(?:\s*<a[^<>]*>)?\s*[\[(]?\s*(` + list + `)\s*[\])]?\s*(?:</a>\s*)?</sup>`),
		digits:   regexp.MustCompile(`\d+`),
		scheme:   regexp.MustCompile(`(?i)^(?:[a-z][a-z0-9+.-]*:)?//+|^(?:mailto|xmpp|tel|sms|javascript|vbscript|data):|^www\.`),
		mail:     regexp.MustCompile(`(?i)^[a-z0-9][a-z0-9._%+-]*@[a-z0-9-]+(?:\.[a-z0-9-]+)+`),
		tag:      regexp.MustCompile(`(?is)^</?([a-z][a-z0-9-]*)(?:[\s/][^<>]*)?>`),
		ownMarks: regexp.MustCompile(`(?i)<(\s*/?\s*(?:passages?|history|earlier|asked|answered|question)\b)`),
		answered: regexp.MustCompile(`(^|[^\pL\pN_\]\)\s])(?:[ \t]*\[\d{1,3}\])+|[ \t]+\[\d{1,3}\](?:\[\d{1,3}\])*`),
		token:    regexp.MustCompile(`\s*\S+|\s+$`),
	}
})
