package answer

import "math"

// Threshold is the confidence below which the passages count as not holding the
// answer.
const Threshold = 0.35

// The signs by which a question counts as answered, each about 0 to 1.
const (
	cBias     = iota
	cPassage  // the question's words in the best passage
	cUnion    // in the three best passages together
	cSentence // in the best statement and its surroundings
	cPairs    // neighbours of the question in the best statement
	cRarest   // 1 where the three best passages hold the rarest word
	cNames    // names and numbers of the question in the best passage
	cExpected // the best statement holds what the question asks for
	cMass     // how telling the words in the best statement are, however many are missing
	cMeeting  // how many different words of the question meet in the best statement
	signs     // how many there are
)

// Signs are what the confidence is made of.
type Signs [signs]float64

// confidence is the chance that the passages answer the question.
func (x *inquiry) confidence(passages []Passage, all []quotation) float64 {
	if len(all) == 0 {
		return 0
	}
	weights := Signs{cBias: -4.9, cPassage: 1.7, cUnion: 1.1, cSentence: 1, cPairs: 0.3, cRarest: 0.1, cNames: 1.1, cExpected: 0.3, cMass: 2, cMeeting: 1.8}
	sum := 0.0
	for i, v := range x.signs(passages, all) {
		sum += weights[i] * v
	}
	return 1 / (1 + math.Exp(-sum))
}

func (x *inquiry) signs(passages []Passage, all []quotation) Signs {
	best := 0
	for i := range all {
		if all[i].score > all[best].score {
			best = i
		}
	}
	f := x.features(&all[best])
	s := Signs{cBias: 1, cSentence: f[sCoverage] + f[sContext], cPairs: f[sPairs], cExpected: f[sExpected]}
	union := make([]bool, len(x.q.Words))
	for i := range passages[:min(len(passages), 3)] {
		seen := x.seen(&passages[i])
		s[cPassage] = max(s[cPassage], x.weight(seen)/x.total)
		s[cNames] = max(s[cNames], x.names(seen))
		or(union, seen)
	}
	s[cUnion] = x.weight(union) / x.total
	s[cRarest] = x.rarest(union)
	s[cMass], s[cMeeting] = x.meeting(&all[best])
	return s
}

// seen are the question's words that a passage holds, its title included.
func (x *inquiry) seen(p *Passage) []bool {
	seen := make([]bool, len(x.q.Words))
	x.note(seen, p.Title)
	for _, h := range p.HeadingPath {
		x.note(seen, h)
	}
	x.note(seen, p.Text)
	return seen
}

func (x *inquiry) weight(seen []bool) float64 {
	sum := 0.0
	for i, w := range x.q.Words {
		if seen[i] {
			sum += w.Weight
		}
	}
	return sum
}

// names is the share of names and numbers seen; 1 where the question has none.
func (x *inquiry) names(seen []bool) float64 {
	all, found := 0.0, 0.0
	for i, w := range x.q.Words {
		if w.Current && (w.Name || w.Number) {
			all += w.Weight
			if seen[i] {
				found += w.Weight
			}
		}
	}
	if all == 0 {
		return 1
	}
	return found / all
}

// rarest is 1 where the most telling word of the last turn was seen.
func (x *inquiry) rarest(seen []bool) float64 {
	place, most := -1, 0.0
	for i, w := range x.q.Words {
		if w.Current && w.IDF > most {
			place, most = i, w.IDF
		}
	}
	if place >= 0 && seen[place] {
		return 1
	}
	return 0
}

// meeting is how telling, against the rarest word there could be, the words of the
// question in a quotation are, up to three such words, and how many they are, up to four.
func (x *inquiry) meeting(st *quotation) (mass, count float64) {
	seen := make([]bool, len(x.q.Words))
	for _, h := range st.hits {
		if !seen[h.Word] {
			seen[h.Word] = true
			mass += x.q.Words[h.Word].IDF
			count++
		}
	}
	return min(mass/(3*x.q.Rarest), 1), min(count/4, 1)
}
