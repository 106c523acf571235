package answer

import "slices"

// The features of a quotation, each about 0 to 1.
const (
	sCoverage = iota // of the question's words in the statement
	sContext         // of those that only its surroundings hold
	sPairs           // neighbours of the question that are neighbours in it
	sExpected        // it holds what the question asks for
	sPassage         // how good its passage is: 1 for the first, falling
	sLength          // how short it is
	sFeatures        // how many there are
)

type features [sFeatures]float64

// captionCost is what a quotation loses for only announcing another one.
const captionCost = 0.3

// judge scores the statements of the passages; they come in the order of the passages.
func (x *inquiry) judge(passages []Passage) []quotation {
	var out []quotation
	for i := range passages {
		for _, s := range x.statements(i, &passages[i]) {
			if s.score = score(x.features(&s)); s.caption {
				s.score -= captionCost
			}
			out = append(out, s)
		}
	}
	return dedupe(out)
}

func (x *inquiry) features(s *quotation) features {
	seen := make([]bool, len(x.q.Words))
	for _, h := range s.hits {
		seen[h.Word] = true
	}
	var f features
	for i, w := range x.q.Words {
		switch {
		case seen[i]:
			f[sCoverage] += w.Weight
		case s.context[i]:
			f[sContext] += w.Weight
		}
	}
	f[sCoverage] /= x.total
	f[sContext] /= x.total
	f[sPairs] = x.pairs(s)
	if x.offers(s) {
		f[sExpected] = 1
	}
	f[sPassage] = 1 / (1 + 0.35*float64(s.passage))
	f[sLength] = brevity(s.words)
	return f
}

// brevity is 1 for a sentence of usual length, less for scraps and for endless ones.
func brevity(words int) float64 {
	switch {
	case words < 4:
		return 0
	case words < 8:
		return 0.6
	case words <= 45:
		return 1
	default:
		return max(0, 1-float64(words-45)/60)
	}
}

// pairs is the weight of the question's neighbours that stand close together.
func (x *inquiry) pairs(s *quotation) float64 {
	found := make([]bool, len(x.q.Words))
	for i, h := range s.hits {
		for _, next := range s.hits[i+1:] {
			if next.Position-h.Position > 3 {
				break
			}
			if a, b := min(h.Word, next.Word), max(h.Word, next.Word); b == a+1 {
				found[a] = true
			}
		}
	}
	sum := 0.0
	for i, ok := range found {
		if ok {
			sum += x.q.Words[i].Weight + x.q.Words[i+1].Weight
		}
	}
	return sum / (2 * x.total)
}

// score is the sum of the features by weights fitted on questions with known answers.
func score(f features) float64 {
	weights := features{sCoverage: 1, sContext: 0.6, sPairs: 0.1, sExpected: 0.15, sPassage: 0.2, sLength: 0.05}
	sum := 0.0
	for i, w := range weights {
		sum += w * f[i]
	}
	return sum
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
