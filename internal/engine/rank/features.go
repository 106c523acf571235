package rank

import (
	"cmp"
	"math"
	"slices"

	"docqa/internal/engine/lexical"
)

// The features of a candidate.
const (
	fWords          = iota // BM25 as a share of what a passage can have that holds each word once
	fWordsBehind           // how far it is behind the best one, as a share of that
	fWordsRank             // 1 for the best by words, falling
	fMeaning               // the cosine
	fMeaningBehind         // how far it is behind the best one
	fMeaningRank           // 1 for the best by meaning, falling
	fFused                 // the fused score
	fFusedBehind           // how far it is behind the best one
	fCovered               // share of the question's words, weighted by rarity, in title, headings, context and body
	fBody                  // of them in the body
	fHeadings              // of them in title and headings
	fTitle                 // of them in the title
	fTitleBehind           // how far the title is behind the one that holds most of them
	fNames                 // of the question's names in all of it; 1 where it has none
	fNumbers               // of its numbers
	fRarest                // 1 if one of them holds its rarest word
	fEarlier               // of the words that only earlier turns hold
	fPairs                 // of its neighbouring words that are neighbours in the body
	fRun                   // the longest run of its words that stand in the body in that order
	fNear                  // the most of its words within a sentence's length of the body
	fNearBehind            // how far that is behind the best candidate
	fRow                   // the most of its words in one row of a table with the headers above
	fSentence              // the best sentence's cosine
	fSentenceBehind        // how far it is behind the best candidate's
	fSecond                // the second best sentence's cosine
	fSentences             // the mean of the three best
	fLength                // words of the body, as a logarithm
	fTable                 // share of the body's lines that are rows
	fFigures               // share of the body's words that have digits
	fNeighbours            // the best fused score of the chunks next to it
	fDocument              // the best fused score of the document's other candidates
	fDocumentShare         // the document's share of the ten best
	fFirst                 // the document's first chunk
	features               // how many there are
)

// Features are the values of a candidate from which the model computes its place.
type Features [features]float64

// FeaturesOf returns the features of the candidates.
func FeaturesOf(q *lexical.Question, candidates []Candidate) []Features {
	out := make([]Features, len(candidates))
	r := newReader(q)
	for i := range candidates {
		r.read(&candidates[i], &out[i])
	}
	scores(q, candidates, out)
	surroundings(candidates, out)
	behind(out, fTitle, fTitleBehind)
	behind(out, fNear, fNearBehind)
	behind(out, fSentence, fSentenceBehind)
	return out
}

// scores sets the features that depend on the scores of the search.
func scores(q *lexical.Question, candidates []Candidate, out []Features) {
	full := 0.0
	for _, t := range q.Vector() {
		full += float64(t.Weight)
	}
	best := 0.0
	for i := range candidates {
		c, f := &candidates[i], &out[i]
		f[fWords], f[fMeaning], f[fFused] = c.Lexical/max(full, 1e-9), c.Cosine, c.Fused
		best = max(best, f[fWords])
	}
	ranks(out, fWords, fWordsRank)
	ranks(out, fMeaning, fMeaningRank)
	behind(out, fMeaning, fMeaningBehind)
	behind(out, fFused, fFusedBehind)
	for i := range out {
		if best > 0 {
			out[i][fWordsBehind] = 1 - out[i][fWords]/best
		}
	}
}

// behind writes into feature to how far a candidate is behind the best one in feature from.
func behind(out []Features, from, to int) {
	best := math.Inf(-1)
	for i := range out {
		best = max(best, out[i][from])
	}
	for i := range out {
		out[i][to] = best - out[i][from]
	}
}

// ranks writes into feature to the reciprocal of the rank by feature from: 1, 1/2, 1/3 and so on.
func ranks(out []Features, from, to int) {
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(out[b][from], out[a][from]) })
	for place, i := range order {
		out[i][to] = 1 / float64(1+place)
	}
}

// surroundings sets the features that depend on the other candidates of the document.
func surroundings(candidates []Candidate, out []Features) {
	order := make([]int, len(candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(candidates[b].Fused, candidates[a].Fused) })
	type place struct {
		document string
		ordinal  int
	}
	at := make(map[place]int, len(candidates))
	share := map[string]float64{}
	best := map[string][2]int{} // places of the two best of a document, -1 = none
	for n, i := range order {
		c := &candidates[i]
		at[place{c.Document, c.Ordinal}] = i
		if n < 10 {
			share[c.Document] += 1 / float64(min(10, len(order)))
		}
		b, known := best[c.Document]
		switch {
		case !known:
			best[c.Document] = [2]int{i, -1}
		case b[1] < 0:
			best[c.Document] = [2]int{b[0], i}
		}
	}
	for i := range candidates {
		c, f := &candidates[i], &out[i]
		for _, next := range []int{c.Ordinal - 1, c.Ordinal + 1} {
			if n, ok := at[place{c.Document, next}]; ok {
				f[fNeighbours] = max(f[fNeighbours], candidates[n].Fused)
			}
		}
		other := best[c.Document][0]
		if other == i {
			other = best[c.Document][1]
		}
		if other >= 0 {
			f[fDocument] = candidates[other].Fused
		}
		f[fDocumentShare] = share[c.Document]
		if c.Ordinal == 0 {
			f[fFirst] = 1
		}
	}
}
