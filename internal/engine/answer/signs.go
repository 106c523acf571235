package answer

import (
	"strings"

	"docqa/internal/engine/statement"
)

// The signs by which a question counts as answered.
const (
	cPassage   = iota // the question's words in the best of three passages
	cUnion            // in the three best passages together
	cSentence         // in the best statement
	cAround           // and in its surroundings
	cMost             // the greatest share that any statement holds
	cPairs            // neighbours of the question in the best statement
	cRarest           // the three best passages hold the most telling word
	cRarestIn         // the best statement or its surroundings hold it
	cNames            // names and numbers of the question in the best of three passages
	cNamesIn          // in the best statement and its surroundings
	cNamed            // the question has names or numbers
	cOffer            // the best statement holds what the question asks for
	cOfferAny         // the best of the three best statements does
	cNegation         // it agrees with the question about what is excluded
	cMass             // how telling the words in the best statement are, however many are missing
	cMeeting          // how many different words of the question meet in the best statement
	cMissing          // how telling the most telling word is that no good passage holds
	cLost             // how many words of the question the best statement and its surroundings lack
	cKin              // as cSentence, with words that begin alike
	cKinLost          // how telling the most telling word is that neither it nor its surroundings hold in any form
	cKinShare         // weight of the words that it or its surroundings hold in some form
	cWords            // how many words the question has
	cExpects          // what it expects, for trees to ask
	cChance           // of the best statement among all
	cLead             // how far it lies before the best one of another passage
	cScore            // what the choice says of it
	cFull             // the best passage's BM25 against that of a passage made of the question
	cDrop             // how far the fifth passage lies behind it
	cAgree            // how many of the five best passages are of the best one's document
	cRepeat           // how many of the five best passages hold half of the question's words
	cTurns            // the part of the question that only earlier turns hold
	cElsewhere        // weight of the words that the best passage lacks and other passages hold
	cUnheard          // weight of the words that it lacks as hardly any passage holds them
	cQualified        // share of the words such as "first" or "never" that the best statement lacks
	cWordSigns        // how many there are without vectors
)

// The signs that vectors add.
const (
	cCosine     = cWordSigns + iota // of the best passage
	cBest                           // of the best statement
	cTop                            // the greatest cosine of a statement
	cTopPassage                     // the greatest cosine of a passage
	cTopThree                       // the third greatest of a statement
	cGap                            // how far the second passage lies behind the first
	cFall                           // and the fifth
	cSame                           // the statement of the greatest cosine is the best one
	signs                           // how many there are
)

// Signs are the names of what the confidence is made of, those of vectors last.
func Signs() []string {
	return []string{
		"passage", "union", "sentence", "around", "most", "pairs", "rarest", "rarestIn", "names", "namesIn", "named", "offer", "offerAny", "negation",
		"mass", "meeting", "missing", "lost", "kin", "kinLost", "kinShare", "words", "expects", "chance", "lead", "score", "full", "drop", "agree", "repeat", "turns", "elsewhere", "unheard", "qualified",
		"cosine", "best", "top", "topPassage", "topThree", "gap", "fall", "same",
	}
}

// signs of passages whose statements were weighed; f are the statements' features.
func (x *inquiry) signs(passages []Passage, all []quotation, f [][]float64) []float64 {
	s := make([]float64, signs)
	if len(all) == 0 {
		return s
	}
	best := x.best(all)
	x.readStatement(s, &all[best], f[best])
	x.readPassages(s, passages, &all[best])
	x.readOthers(s, all, f, best)
	x.readVectors(s, passages, all, best)
	return s
}

// best is the place of the statement with the greatest chance.
func (x *inquiry) best(all []quotation) int {
	best := 0
	for i := range all {
		if all[i].chance > all[best].chance {
			best = i
		}
	}
	return best
}

func (x *inquiry) readStatement(s []float64, best *quotation, f []float64) {
	s[cSentence], s[cAround], s[cPairs], s[cOffer], s[cNegation] = f[sOwn], f[sOwn]+f[sContext], f[sPairs], f[sOffer], f[sNegation]
	s[cNamesIn], s[cNamed] = f[sNamesAll], btof(x.named > 0)
	s[cWords], s[cExpects] = float64(len(x.q.Words)), float64(x.expected)
	s[cChance], s[cScore] = best.chance, best.score
	for _, w := range x.q.Words {
		if !w.Current {
			s[cTurns] += w.Weight / x.total
		}
	}
	met, alike := 0, x.alike(best)
	s[cKin] = f[sKin]
	for i, w := range x.q.Words {
		switch {
		case best.own[i]:
			s[cMass] += w.IDF
			met++
		case w.Current && !best.context[i]:
			s[cLost]++
		}
		if alike[i] || best.context[i] {
			s[cKinShare] += w.Weight / x.total
		} else if w.Current {
			s[cKinLost] = max(s[cKinLost], w.IDF/x.q.Rarest)
		}
	}
	s[cMass], s[cMeeting] = min(s[cMass]/(3*x.q.Rarest), 1), min(float64(met)/4, 1)
	s[cRarestIn] = max(x.holdsRarest(best.own), x.holdsRarest(best.context))
}

func (x *inquiry) readPassages(s []float64, passages []Passage, best *quotation) {
	union, full := x.none(), 0.0
	for i := range passages[:min(len(passages), 5)] {
		seen := x.seen(&passages[i])
		share := x.share(seen)
		if i < 3 {
			s[cPassage], s[cNames] = max(s[cPassage], share), max(s[cNames], x.names(seen))
			union.add(seen)
		}
		if share >= 0.5 {
			s[cRepeat] += 0.2
		}
		if passages[i].DocumentID == passages[best.passage].DocumentID {
			s[cAgree] += 0.2
		}
	}
	s[cUnion], s[cRarest] = x.share(union), x.holdsRarest(union)
	for i, w := range x.q.Words {
		full += w.Weight
		if w.Current && !union[i] {
			s[cMissing] = max(s[cMissing], w.IDF/x.q.Rarest)
		}
	}
	x.readMissing(s, &passages[best.passage], best)
	s[cFull] = ratio(passages[0].Lexical, full)
	if last := min(len(passages), 5) - 1; last > 0 {
		s[cDrop] = ratio(passages[0].Lexical-passages[last].Lexical, full)
	}
}

// readMissing writes what the passage of the best statement lacks.
func (x *inquiry) readMissing(s []float64, p *Passage, best *quotation) {
	seen := x.seen(p)
	seen.add(x.alike(best))
	for i, w := range x.q.Words {
		switch {
		case seen[i] || !w.Current:
		case w.IDF < x.q.Rarest:
			s[cElsewhere] += w.Weight / x.total
		default:
			s[cUnheard] += w.Weight / x.total
		}
	}
	asked, lacking := 0.0, 0.0
	for _, w := range fields(x.text) {
		if w = bare(strings.TrimRight(w, "?")); qualifies(w) {
			asked++
			lacking += btof(!strings.Contains(best.folded, w))
		}
	}
	s[cQualified] = ratio(lacking, asked)
}

// qualifies tells whether a word changes which thing is asked for.
func qualifies(w string) bool {
	switch w {
	case "first", "last", "second", "third", "fourth", "final", "next", "previous", "most", "least", "only", "never", "not", "all", "every", "without", "before", "after",
		"more", "less", "fewer", "best", "worst", "other", "new", "old", "former", "current", "main", "largest", "smallest", "biggest", "highest", "lowest", "oldest",
		"youngest", "longest", "shortest", "earliest", "latest", "greatest", "north", "south", "east", "west", "northern", "southern", "eastern", "western":
		return true
	}
	return false
}

// seen are the question's words that a passage holds, its title included.
func (x *inquiry) seen(p *Passage) words {
	seen := x.none()
	x.note(seen, p.Title)
	for _, h := range p.HeadingPath {
		x.note(seen, h)
	}
	x.note(seen, p.Context)
	x.note(seen, p.Text)
	return seen
}

func (x *inquiry) readOthers(s []float64, all []quotation, f [][]float64, best int) {
	var elsewhere float64
	for i := range all {
		s[cMost] = max(s[cMost], f[i][sOwn])
		if all[i].chance > all[best].chance/4 {
			s[cOfferAny] = max(s[cOfferAny], f[i][sOffer])
		}
		if all[i].passage != all[best].passage && all[i].Kind != statement.Question {
			elsewhere = max(elsewhere, all[i].chance)
		}
	}
	s[cLead] = all[best].chance - elsewhere
}

func (x *inquiry) readVectors(s []float64, passages []Passage, all []quotation, best int) {
	if !x.vectors {
		return
	}
	s[cCosine], s[cBest] = passages[all[best].passage].Cosine, all[best].cosine
	var top [3]float64
	place := 0
	for i := range all {
		c := all[i].cosine
		switch {
		case c > top[0]:
			top[2], top[1], top[0], place = top[1], top[0], c, i
		case c > top[1]:
			top[2], top[1] = top[1], c
		case c > top[2]:
			top[2] = c
		}
	}
	s[cTop], s[cTopThree], s[cSame] = top[0], top[2], btof(place == best)
	for i := range passages {
		s[cTopPassage] = max(s[cTopPassage], passages[i].Cosine)
	}
	if len(passages) > 1 {
		s[cGap] = s[cTopPassage] - passages[1].Cosine
	}
	s[cFall] = s[cTopPassage] - passages[min(len(passages), 5)-1].Cosine
}

// WordSigns are the names of those that need no vectors.
func WordSigns() []string { return Signs()[:cWordSigns] }
