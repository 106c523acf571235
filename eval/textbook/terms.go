package textbook

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/porter"

	"docqa/eval/score"
)

// english holds the English stop words of Lucene.
const english = " a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with "

// terms returns the terms of a text. In English they are stems without stop words, in other languages words, and in scripts without
// spaces pairs of neighbouring characters.
func terms(text, language string) []string {
	words := score.Words(text)
	list := words[:0:0]
	for i, w := range words {
		switch {
		case single(w):
			if i+1 < len(words) && single(words[i+1]) {
				list = append(list, w+words[i+1])
			}
		case language != "en":
			list = append(list, w)
		case !strings.Contains(english, " "+w+" "):
			env := snowballstem.NewEnv(w)
			porter.Stem(env)
			list = append(list, env.Current())
		}
	}
	return list
}

func single(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
