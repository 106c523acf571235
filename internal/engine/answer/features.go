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

// The features of a statement. Most of them lie between 0 and 1.
const (
	sOwn          = iota // weight of the question's words in the statement
	sContext             // weight of those that only its surroundings hold
	sLead                // weight of those in the caption and the headings above it
	sAsked               // weight of those in the question above it
	sPairs               // neighbouring words of the question that are neighbours in it
	sNames               // names and numbers of the question in the statement
	sNamesAll            // names and numbers of the question in it and its surroundings
	sRarest              // it holds the question's rarest word
	sDensity             // share of its words that are words of the question
	sWindow              // how close together the question's words stand
	sOffer               // it holds what the question asks for
	sNegation            // question and statement agree in their negation
	sLength              // how long it is
	sBrief               // it has fewer than four words
	sPlace               // how far up it stands in its passage
	sRow                 // it is a table row
	sCell                // of a row: the question names the row and one of its columns
	sCaption             // it announces a list or a table
	sLean                // it begins with a pronoun: its subject stands in the statement before it
	sRank                // reciprocal rank of its passage
	sLexical             // BM25 of its passage against that of the best one
	sFirst               // reciprocal rank among all statements by the question's words
	sExpects             // what the question expects; a number for trees to split by
	sQuestion            // how many words the question has
	sBefore              // weight of the question's words that only the statement before holds
	sKin                 // as sOwn, with words that begin alike
	sCount               // share of the question's words in it, each counted once
	sHead                // it holds the first word of the question that is no stop word
	sTail                // it holds the last one
	sNovel               // how many names it holds that are not in the question
	sFigures             // how many numbers it holds that are not in the question
	sWithin              // reciprocal rank in its passage by the question's words
	sEntry               // the question names the entry that it defines: 1 exactly, 0.67 by a part of the name, 0.33 by a plain word
	sOtherEntry          // it defines another entry than the one that the question names
	sOpens               // of a definition: how far up it stands in it
	sItem                // it is an item of a list
	sCode                // it is a listing
	sLacks               // share of the question's exact names that neither it nor its surroundings hold
	sWordFeatures        // number of features without vectors
)

// The features that vectors add.
const (
	sCosine   = sWordFeatures + iota // cosine of the statement
	sBehind                          // its cosine minus the greatest one
	sPrevious                        // cosine of the statement before it
	sNext                            // cosine of the statement after it
	sInside                          // reciprocal rank in its passage by cosine
	sTop                             // reciprocal rank among all statements by cosine
	sAround                          // cosine of its passage
	sFar                             // that minus the greatest one of a passage
	sFeatures                        // number of all features
)

// StatementFeatures returns the names of a statement's features, those of vectors last.
// They are the names in the model files.
func StatementFeatures() []string {
	return []string{
		"own", "context", "lead", "asked", "pairs", "names", "namesAll", "rarest", "density", "window", "offer", "negation", "length", "brief", "place",
		"row", "cell", "caption", "lean", "rank", "lexical", "first", "expects", "question",
		"before", "kin", "count", "head", "tail", "novel", "figures", "within", "entry", "otherEntry", "opens", "item", "code", "lacks",
		"cosine", "behind", "previous", "next", "inside", "top", "around", "far",
	}
}

// features computes the features of every statement. Without vectors, theirs are 0.
func (x *question) features(passages []Passage, all []quotation) [][]float64 {
	out := make([][]float64, len(all))
	values := make([]float64, len(all)*sFeatures)
	for i := range all {
		out[i] = values[i*sFeatures : (i+1)*sFeatures]
		x.describe(&all[i], out[i])
	}
	x.compare(passages, all, out)
	return out
}

// describe sets the features that depend on the statement alone.
func (x *question) describe(s *quotation, f []float64) {
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
	f[sLean] = btof(lean(s.folded))
	f[sRank] = 1 / (1 + float64(s.passage))
	f[sExpects], f[sQuestion] = float64(x.expected), float64(len(x.q.Words))
	f[sCosine] = s.cosine
	f[sBefore], f[sKin] = x.share(s.before), x.share(x.alike(s))
	f[sEntry] = float64(x.matchEntry(s.Term)) / float64(exactNamed)
	f[sItem], f[sCode] = btof(s.Item), btof(s.Kind == statement.Code)
	f[sLacks] = x.lacksNames(s.surroundings() + " " + s.title)
	x.spell(s, f)
}

// surroundings returns the text of a statement with what it belongs to.
func (s *quotation) surroundings() string {
	return strings.Join([]string{s.text, s.Term, s.Lead, s.Heading, s.Asked}, " ")
}

// compare sets the features that depend on the other statements.
func (x *question) compare(passages []Passage, all []quotation, f [][]float64) {
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
	compareEntries(all, f)
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

// compareEntries sets the features that depend on the entries around a statement.
func compareEntries(all []quotation, f [][]float64) {
	named := 0.0
	for i := range all {
		named = max(named, f[i][sEntry])
	}
	opens := 0
	for i := range all {
		if i == 0 || all[i].passage != all[i-1].passage || all[i].Term != all[i-1].Term {
			opens = 0
		}
		if all[i].Term != "" {
			f[i][sOpens] = 1 / (1 + float64(opens))
			f[i][sOtherEntry] = btof(f[i][sEntry] < named)
		}
		opens++
	}
}

// ratio returns a/b, or 0 if b is not positive.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// ranks sets the feature into to the reciprocal rank of each statement by another value.
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

// spell sets the features that depend on how the words of a statement look.
func (x *question) spell(s *quotation, f []float64) {
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

// alike returns the question's words that the statement holds, and those that begin like
// one of the statement's words.
func (x *question) alike(s *quotation) words {
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

// kinLetters is how many first letters related words have in common.
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

// pairs returns the weight of the question's neighbouring words that stand close together.
func (x *question) pairs(s *quotation) float64 {
	return x.q.Pairs(s.hits) / (2 * x.total)
}

// window returns the greatest share of the question's weight within twelve words in a row.
func (x *question) window(s *quotation) float64 {
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

// agree compares the negations of question and statement: 1 if both have one, 0.5 if
// neither has one, 0 if only one of them has.
func (x *question) agree(s *quotation) float64 {
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

// weigh sets the scores and chances of the statements. A statement that cannot be quoted
// has the chance 0.
func weigh(all []quotation, score func(int) float64) {
	highest, sum := math.Inf(-1), 0.0
	for i := range all {
		if all[i].score = score(i); all[i].quotable() {
			highest = max(highest, all[i].score)
		}
	}
	for i := range all {
		if all[i].quotable() {
			all[i].chance = math.Exp(all[i].score - highest)
			sum += all[i].chance
		}
	}
	for i := range all {
		all[i].chance = ratio(all[i].chance, sum)
	}
}

// dedupe drops the statements that occur twice because chunks overlap. The same words in another
// section or under another term are another statement: "The default is 3."
func dedupe(all []quotation) []quotation {
	type key struct{ section, term, text string }
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(s quotation) bool {
		k := key{s.Section, s.Term, s.text}
		was := seen[k]
		seen[k] = true
		return was
	})
}

// WordStatementFeatures returns the names of the features that need no vectors.
func WordStatementFeatures() []string { return StatementFeatures()[:sWordFeatures] }
