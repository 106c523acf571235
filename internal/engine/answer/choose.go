package answer

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/statement"
)

// The features of a statement. Each but the last two is about 0 to 1.
const (
	sOwn          = iota // weight of the question's words in the statement
	sContext             // of those that only its surroundings hold
	sLead                // of those in the caption and the headings above it
	sAsked               // of those in the question above it, as a share of that question's words
	sPairs               // neighbours of the question that are neighbours in it
	sNames               // names and numbers of the question in the statement
	sNamesAll            // and in its surroundings
	sRarest              // it holds the most telling word
	sDensity             // share of its words that are the question's
	sWindow              // how close together the question's words stand
	sOffer               // it holds what the question asks for
	sNegation            // it excludes where the question asks for what is excluded, and only there
	sLength              // how long it is
	sBrief               // it is a scrap
	sPlace               // how far up it stands in its passage
	sRow                 // it is a table row
	sCell                // of a row: the question names the row and one of its columns
	sCaption             // it announces
	sLean                // it begins with a pronoun: its subject stands before it
	sRank                // how good its passage is by its rank
	sLexical             // by its words, against the best
	sFirst               // its rank among all statements by the question's words in it
	sExpects             // what the question expects, for trees to ask
	sQuestion            // how many words the question has
	sBefore              // weight of the question's words that only the statement before holds
	sKin                 // as sOwn, with words that begin alike
	sCount               // share of the question's words in it, each counted once
	sHead                // it holds the first word of the question that is no stop word
	sTail                // it holds the last one
	sNovel               // how many names it holds that the question does not
	sFigures             // how many numbers
	sWithin              // its rank in its passage by the question's words
	sWordFeatures        // how many there are without vectors
)

// The features that vectors add.
const (
	sCosine   = sWordFeatures + iota // of the statement
	sBehind                          // how far it lies behind the best one
	sPrevious                        // of the statement before
	sNext                            // of the statement behind
	sInside                          // its rank in its passage by the cosine
	sTop                             // its rank among all statements by the cosine
	sAround                          // cosine of its passage
	sFar                             // how far that lies behind the best one
	sFeatures                        // how many there are
)

// StatementFeatures are the names of a statement's features, those of vectors last.
func StatementFeatures() []string {
	return []string{
		"own", "context", "lead", "asked", "pairs", "names", "namesAll", "rarest", "density", "window", "offer", "negation", "length", "brief", "place",
		"row", "cell", "caption", "lean", "rank", "lexical", "first", "expects", "question",
		"before", "kin", "count", "head", "tail", "novel", "figures", "within",
		"cosine", "behind", "previous", "next", "inside", "top", "around", "far",
	}
}

// features are those of every statement; all come with those of vectors, which are 0
// without any.
func (x *inquiry) features(passages []Passage, all []quotation) [][]float64 {
	out := make([][]float64, len(all))
	values := make([]float64, len(all)*sFeatures)
	for i := range all {
		out[i] = values[i*sFeatures : (i+1)*sFeatures]
		x.describe(&all[i], out[i])
	}
	x.compare(passages, all, out)
	return out
}

// describe writes what a statement alone tells.
func (x *inquiry) describe(s *quotation, f []float64) {
	f[sOwn], f[sContext], f[sLead] = x.share(s.own), x.share(s.context), x.share(s.lead)
	if s.Asked != "" {
		f[sAsked] = x.share(s.asked)
	}
	f[sPairs], f[sNames], f[sRarest] = x.pairs(s), x.names(s.own), x.holdsRarest(s.own)
	both := slices.Clone(s.own)
	both.add(s.context)
	f[sNamesAll] = x.names(both)
	f[sDensity] = float64(len(s.hits)) / float64(max(s.tokens, 1))
	f[sWindow] = x.window(s)
	f[sOffer] = x.offer(s)
	f[sNegation] = x.agree(s)
	f[sLength] = min(float64(s.words)/60, 2)
	f[sBrief] = btof(s.words < 4)
	f[sPlace] = 1 / (1 + float64(s.order))
	f[sRow], f[sCaption] = btof(s.Kind == statement.Row), btof(s.Kind == statement.Caption)
	f[sCell] = x.cell(s)
	s.whole = f[sOffer] == 1 && f[sOwn]+f[sContext] > 0.6
	s.cell = btof(f[sCell] > 0.9)
	f[sLean] = btof(lean(s.folded))
	f[sRank] = 1 / (1 + float64(s.passage))
	f[sExpects], f[sQuestion] = float64(x.expected), float64(len(x.q.Words))
	f[sCosine] = s.cosine
	f[sBefore], f[sKin] = x.share(s.before), x.share(x.alike(s))
	x.spell(s, f)
}

// compare writes what only the statements together tell.
func (x *inquiry) compare(passages []Passage, all []quotation, f [][]float64) {
	var best, around, words float64
	for i := range passages {
		around, words = max(around, passages[i].Cosine), max(words, passages[i].Lexical)
	}
	for i := range all {
		best = max(best, all[i].cosine)
	}
	for i := range all {
		p := &passages[all[i].passage]
		f[i][sLexical] = ratio(p.Lexical, words)
		f[i][sBehind], f[i][sAround], f[i][sFar] = all[i].cosine-best, p.Cosine, p.Cosine-around
		if i > 0 && all[i-1].passage == all[i].passage {
			f[i][sPrevious], f[i-1][sNext] = all[i-1].cosine, all[i].cosine
		}
	}
	ranks(f, sFirst, func(i int) float64 { return f[i][sOwn] + 0.5*f[i][sContext] })
	ranks(f, sTop, func(i int) float64 { return f[i][sCosine] })
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].passage == all[from].passage {
			to++
		}
		part := f[from:to]
		ranks(part, sWithin, func(i int) float64 { return part[i][sOwn] + 0.5*part[i][sContext] })
		ranks(part, sInside, func(i int) float64 { return part[i][sCosine] })
		from = to
	}
}

// ratio is a's share of b, 0 where b is none.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// ranks writes into one feature the reciprocal of the rank by another value.
func ranks(f [][]float64, into int, by func(int) float64) {
	order := make([]int, len(f))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by(b), by(a)) })
	for rank, i := range order {
		f[i][into] = 1 / (1 + float64(rank))
	}
}

// spell writes what the words of a statement look like.
func (x *inquiry) spell(s *quotation, f []float64) {
	met, current, last := 0, 0, -1
	for i, w := range x.q.Words {
		if w.Current {
			current++
			last = i
			met += int(btof(s.own[i]))
		}
	}
	if last >= 0 {
		f[sCount], f[sHead], f[sTail] = float64(met)/float64(current), btof(s.own[0]), btof(s.own[last])
	}
	names, figures, hit, first := 0, 0, 0, true
	for at, w := range fields(s.text) {
		for hit < len(s.hits) && s.hits[hit].End <= at {
			hit++
		}
		if asked := hit < len(s.hits) && s.hits[hit].Start < at+len(w); !asked {
			r, _ := utf8.DecodeRuneInString(w)
			names += int(btof(unicode.IsUpper(r) && !first))
			figures += int(btof(strings.ContainsFunc(w, unicode.IsDigit)))
		}
		first = false
	}
	f[sNovel], f[sFigures] = min(float64(names)/6, 1), min(float64(figures)/4, 1)
}

// alike are the question's words that the statement holds or, of those that are
// missing, that begin like one of its words.
func (x *inquiry) alike(s *quotation) words {
	seen := slices.Clone(s.own)
	for i, w := range x.q.Words {
		if seen[i] || len(w.Surface) < kinLetters {
			continue
		}
		for _, t := range fields(s.folded) {
			if alike(t, x.surfaces[i]) {
				seen[i] = true
				break
			}
		}
	}
	return seen
}

// kinLetters is how many letters words of one family have in common.
const kinLetters = 5

// alike tells whether two words in lower case begin with the same letters.
func alike(a, b string) bool {
	a = strings.TrimLeft(a, "(\"'“‘[")
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= kinLetters && n*10 >= len(b)*6
}

// pairs is the weight of the question's neighbours that stand close together.
func (x *inquiry) pairs(s *quotation) float64 {
	return x.q.Pairs(s.hits) / (2 * x.total)
}

// window is the greatest share of the question's weight within twelve words in a row.
func (x *inquiry) window(s *quotation) float64 {
	best := 0.0
	seen := x.none()
	for i := range s.hits {
		clear(seen)
		for _, h := range s.hits[i:] {
			if h.Position-s.hits[i].Position > 12 {
				break
			}
			seen[h.Word] = true
		}
		best = max(best, x.share(seen))
	}
	return best
}

// agree compares what the question asks for with whether the statement excludes: 1 for
// an exclusion that was asked for, 0.5 for none of both.
func (x *inquiry) agree(s *quotation) float64 {
	said := negative(s.folded) || s.Lead != "" && negative(lower(s.Lead)) || x.negative && negative(lower(s.Heading))
	switch {
	case said && x.negative:
		return 1
	case said != x.negative:
		return 0
	}
	return 0.5
}

// lean tells whether a statement begins with a word that stands for another one.
func lean(folded string) bool {
	word, _, _ := strings.Cut(folded, " ")
	switch word {
	case "it", "its", "he", "his", "she", "her", "they", "their", "this", "these", "those", "that", "er", "sie", "es", "dies", "diese", "dieser", "él", "ella", "esto", "il", "elle", "ce", "cela":
		return true
	}
	return false
}

// cellScore is what a row counts more of which the question names the label and a column.
// The sets that the weights were learned from have tables in which this tells little.
const cellScore = 3

// weigh gives the statements their scores and chances; what cannot be quoted has no
// chance.
func weigh(all []quotation, score func(int) float64) {
	most, sum := math.Inf(-1), 0.0
	for i := range all {
		if all[i].score = score(i) + cellScore*all[i].cell; all[i].quotable() {
			most = max(most, all[i].score)
		}
	}
	for i := range all {
		if all[i].quotable() {
			all[i].chance = math.Exp(all[i].score - most)
			sum += all[i].chance
		}
	}
	for i := range all {
		all[i].chance = ratio(all[i].chance, sum)
	}
}

// dedupe drops statements that an overlap repeats.
func dedupe(all []quotation) []quotation {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(s quotation) bool {
		was := seen[s.text]
		seen[s.text] = true
		return was
	})
}

// WordStatementFeatures are the names of those that need no vectors.
func WordStatementFeatures() []string { return StatementFeatures()[:sWordFeatures] }
