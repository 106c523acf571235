package answer

import (
	"slices"
	"strings"

	"docqa/internal/engine/statement"
)

// The features from which the confidence is computed. "It", the best statement, is the
// first one of the answer.
const (
	cPassage      = iota // weight of the question's words in the best of three passages
	cUnion               // weight of those in the three best passages together
	cSentence            // weight of those in the best statement
	cAround              // weight of those in it or its surroundings
	cMost                // the greatest weight of those in any statement
	cPairs               // neighbouring words of the question in the best statement
	cRarest              // the three best passages hold the question's rarest word
	cRarestIn            // the best statement or its surroundings hold it
	cNames               // names and numbers of the question in the best of three passages
	cNamesIn             // names and numbers of the question in the best statement and its surroundings
	cNamed               // the question has names or numbers
	cOffer               // the best statement holds what the question asks for
	cOfferAny            // one of the likeliest statements does
	cNegation            // question and best statement agree in their negation
	cMass                // sum of the IDF of the words in the best statement, not as a share of the question
	cMeeting             // how many different words of the question the best statement holds
	cMissing             // IDF of the rarest word that none of the three best passages holds
	cLost                // how many words of the question the best statement and its surroundings lack
	cKin                 // as cSentence, with words that begin alike
	cKinLost             // IDF of the rarest word that it and its surroundings lack in any form
	cKinShare            // weight of the words that it or its surroundings hold in some form
	cWords               // how many words the question has
	cExpects             // what the question expects; a number for trees to split by
	cChance              // chance of the best statement among all
	cLead                // how much greater that is than the greatest chance in another passage
	cScore               // score of the best statement
	cFull                // the best passage's BM25 against that of a passage made of the question
	cDrop                // how much lower the BM25 of the fifth passage is
	cAgree               // how many of the five best passages are of the best statement's document
	cRepeat              // how many of the five best passages hold half of the question's words
	cTurns               // the part of the question that only earlier turns hold
	cElsewhere           // weight of the words that the best statement's passage lacks and other passages hold
	cUnseen              // weight of the words that it lacks and hardly any passage holds
	cQualified           // share of the words such as "first" or "never" that the best statement lacks
	cEntry               // the best statement defines the entry that the question names
	cOtherEntry          // it defines another one
	cLacks               // share of the question's exact names that it and its surroundings lack
	cLacksAll            // share of them that no passage holds
	cNoDefault           // the question asks for the default of an entry that is there, and nothing says one
	cUnderHeading        // the answer stands under a heading or a question that asks the same
	cGoesOn              // the answer continues a short question
	cWordFeatures        // number of features without vectors
)

// The features that vectors add.
const (
	cCosine     = cWordFeatures + iota // cosine of the best statement's passage
	cBest                              // cosine of the best statement
	cTop                               // the greatest cosine of a statement
	cTopPassage                        // the greatest cosine of a passage
	cTopThree                          // the third greatest cosine of a statement
	cGap                               // how much lower the cosine of the second passage is than the greatest
	cFall                              // how much lower that of the fifth is
	cSame                              // the statement with the greatest cosine is the best one
	cFeatures                          // number of all features
)

// ConfidenceFeatures returns the names of the confidence's features, those of vectors
// last. They are the names in the model files.
func ConfidenceFeatures() []string {
	return []string{
		"passage", "union", "sentence", "around", "most", "pairs", "rarest", "rarestIn", "names", "namesIn", "named", "offer", "offerAny", "negation",
		"mass", "meeting", "missing", "lost", "kin", "kinLost", "kinShare", "words", "expects", "chance", "lead", "score", "full", "drop", "agree", "repeat", "turns", "elsewhere", "unheard", "qualified", "entry", "otherEntry", "lacks", "lacksAll", "noDefault", "underHeading", "goesOn",
		"cosine", "best", "top", "topPassage", "topThree", "gap", "fall", "same",
	}
}

// confidenceFeatures computes the features of the confidence in the statements that were chosen.
func (x *question) confidenceFeatures(passages []Passage, r *reading, how selection) []float64 {
	s := make([]float64, cFeatures)
	if len(r.chosen) == 0 {
		return s
	}
	best := slices.IndexFunc(r.all, func(q quotation) bool { return q.passage == r.chosen[0].passage && q.order == r.chosen[0].order })
	x.readStatement(s, &r.all[best], r.features[best])
	x.readPassages(s, passages, &r.all[best])
	x.readOthers(s, r.all, r.features, best)
	x.readVectors(s, passages, r.all, best)
	s[cNoDefault], s[cUnderHeading], s[cGoesOn] = btof(x.saysNoDefault(r.all)), btof(how == byHeading), btof(how == goingOn)
	return s
}

func (x *question) readStatement(s []float64, best *quotation, f []float64) {
	s[cSentence], s[cAround], s[cPairs], s[cOffer], s[cNegation] = f[sOwn], f[sOwn]+f[sContext], f[sPairs], f[sOffer], f[sNegation]
	s[cNamesIn], s[cNamed] = f[sNamesAll], btof(x.named > 0)
	s[cWords], s[cExpects] = float64(len(x.q.Words)), float64(x.expected)
	s[cChance], s[cScore] = best.chance, best.score
	s[cEntry], s[cOtherEntry], s[cLacks] = f[sEntry], f[sOtherEntry], f[sLacks]
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

func (x *question) readPassages(s []float64, passages []Passage, best *quotation) {
	s[cLacksAll] = x.lacksInAll(passages)
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

// readMissing sets the features for words that the passage of the best statement lacks.
func (x *question) readMissing(s []float64, p *Passage, best *quotation) {
	seen := x.seen(p)
	seen.add(x.alike(best))
	for i, w := range x.q.Words {
		switch {
		case seen[i] || !w.Current:
		case w.IDF < x.q.Rarest:
			s[cElsewhere] += w.Weight / x.total
		default:
			s[cUnseen] += w.Weight / x.total
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

// qualifies tells whether a word such as "first" changes which thing is asked for.
func qualifies(w string) bool {
	switch w {
	case "first", "last", "second", "third", "fourth", "final", "next", "previous", "most", "least", "only", "never", "not", "all", "every", "without", "before", "after",
		"more", "less", "fewer", "best", "worst", "other", "new", "old", "former", "current", "main", "largest", "smallest", "biggest", "highest", "lowest", "oldest",
		"youngest", "longest", "shortest", "earliest", "latest", "greatest", "north", "south", "east", "west", "northern", "southern", "eastern", "western":
		return true
	}
	return false
}

// seen returns the question's words that a passage or its titles hold.
func (x *question) seen(p *Passage) words {
	seen := x.none()
	x.note(seen, p.Title)
	for _, h := range p.HeadingPath {
		x.note(seen, h)
	}
	x.note(seen, p.Context)
	x.note(seen, p.Text)
	return seen
}

func (x *question) readOthers(s []float64, all []quotation, f [][]float64, best int) {
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

func (x *question) readVectors(s []float64, passages []Passage, all []quotation, best int) {
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

// WordConfidenceFeatures returns the names of the features that need no vectors.
func WordConfidenceFeatures() []string { return ConfidenceFeatures()[:cWordFeatures] }
