package support

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
	"docqa/internal/provider/llm"
)

const sampleBytes = 300 // of passages, to tell their language

// Bounds of support, and the credits of a sentence's words.
const (
	nearby     = 0.6  // a word that stands beside the statement: in its heading, its term, its neighbours
	misstated  = 0.2  // what is left of the support of a sentence with a figure that the passage lacks
	Enough     = 0.5  // from this support on, a passage holds a sentence
	Quoted     = 0.4  // from this support on, a statement is what a cited sentence rests on
	negligible = 1e-5 // weights of terms below it only mark a language
)

// Support tells how well the passages hold what a sentence says: by its words, without those of
// the question, and by its figures.
type Support struct {
	passages []llm.Passage
	asked    string
	lang     lexical.Lang
	index    *lexical.Indexer
	spans    []span
	weights  map[int32]float64
	question map[int32]bool
	numbers  map[int]map[string]bool // of passages, once they were needed
	unknown  float64                 // weight of a word that no statement holds
}

// span is a statement of a passage.
type span struct {
	statement.Span

	passage int // from 1
	terms   []int32
	around  []int32
}

// Match is the statement that holds a sentence best.
type Match struct {
	Passage    int // from 1; 0 if none holds any of it
	Begin, End int // bytes of the passage's text
	Share      float64
	Unknown    bool // the sentence has nothing to compare, as its language is another one
}

// New reads the passages in only; all of them if it is empty.
func New(passages []llm.Passage, question string, only ...int) *Support {
	s := &Support{passages: passages, asked: question, weights: map[int32]float64{}, question: map[int32]bool{}, numbers: map[int]map[string]bool{}}
	var sample strings.Builder
	for i := range passages {
		if text := passages[i].Text; sample.Len() < sampleBytes {
			sample.WriteString(strings.ToValidUTF8(text[:min(len(text), sampleBytes)], "") + "\n")
		}
	}
	s.lang = lexical.Detect(sample.String())
	s.index = lexical.NewIndexer(s.lang)
	for i := range passages {
		if len(only) == 0 || slices.Contains(only, i+1) {
			s.read(i+1, &passages[i])
		}
	}
	for i := range s.spans {
		for _, t := range s.spans[i].terms {
			s.weights[t]++
		}
	}
	weight := func(count float64) float64 { return math.Log(1 + float64(len(s.spans)+1)/(count+0.5)) }
	for t, n := range s.weights {
		s.weights[t] = weight(n)
	}
	s.unknown = weight(0)
	for _, t := range s.terms(question) {
		s.question[t] = true
	}
	return s
}

// read adds the statements of a passage.
func (s *Support) read(number int, p *llm.Passage) {
	from := len(s.spans)
	above := s.terms(p.Title + "\n" + strings.Join(p.HeadingPath, "\n") + "\n" + p.Context)
	for _, st := range statement.Split(statement.Piece{Body: p.Text, Marks: p.Marks, Context: p.Context}) {
		s.spans = append(s.spans, span{
			Span: st, passage: number, terms: s.terms(st.Text), around: append(s.terms(st.Heading+"\n"+st.Term+"\n"+st.Lead+"\n"+st.Asked), above...),
		})
	}
	own := s.spans[from:]
	for i := range own {
		if i > 0 {
			own[i].around = append(own[i].around, own[i-1].terms...)
		}
		if i < len(own)-1 {
			own[i].around = append(own[i].around, own[i+1].terms...)
		}
	}
	for i := range own {
		slices.Sort(own[i].around)
	}
}

// terms returns the words of a text as the index knows them, in ascending order.
func (s *Support) terms(text string) []int32 {
	var out []int32
	for _, t := range s.index.Terms(lexical.Passage{Body: text}) {
		if t.Weight > negligible {
			out = append(out, t.Index)
		}
	}
	return out
}

// Best returns the statement that holds a sentence best, among those of the passages in only; of
// all passages if only is empty.
func (s *Support) Best(sentence string, only ...int) Match {
	terms := s.terms(sentence)
	if len(terms) > 2 && s.found(terms) < 0.3 && s.lang != lexical.Unknown {
		if lang := lexical.Detect(sentence); lang != s.lang && lang != lexical.Unknown {
			return s.foreign(sentence, only)
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(terms), func(t int32) bool { return s.question[t] })
	repeats := len(fresh) == 0 // it says what the question asks
	if repeats {
		fresh = terms
	}
	var best Match
	for i := range s.spans {
		sp := &s.spans[i]
		if len(only) > 0 && !slices.Contains(only, sp.passage) {
			continue
		}
		share := s.share(fresh, sp)
		if all := s.share(terms, sp); share > 0 {
			share += all / 100 // of equal ones the one that also holds the question's words
		}
		if share > best.Share {
			best = Match{Passage: sp.passage, Begin: sp.Start, End: sp.End, Share: share}
		}
	}
	best.Share = min(best.Share, 1)
	if best.Passage > 0 && !s.Figures(sentence, best.Passage) {
		best.Share *= misstated
	}
	return best
}

// found returns which share of terms any statement holds.
func (s *Support) found(terms []int32) float64 {
	n := 0.0
	for _, t := range terms {
		if _, ok := s.weights[t]; ok {
			n++
		}
	}
	return n / float64(max(len(terms), 1))
}

// share returns which share of the weight of terms a statement holds.
func (s *Support) share(terms []int32, sp *span) float64 {
	var sum, total float64
	own := false
	for _, t := range terms {
		w, ok := s.weights[t]
		if !ok {
			w = s.unknown
		}
		total += w
		if _, in := slices.BinarySearch(sp.terms, t); in {
			sum += w
			own = true
		} else if _, in := slices.BinarySearch(sp.around, t); in {
			sum += nearby * w
		}
	}
	if !own || total == 0 {
		return 0
	}
	return sum / total
}

// Figures tells whether a passage or the question holds every number of a sentence.
func (s *Support) Figures(sentence string, passage int) bool {
	if !strings.ContainsAny(sentence, "0123456789") {
		return true
	}
	held, ok := s.numbers[passage]
	if !ok {
		p := &s.passages[passage-1]
		held = map[string]bool{}
		for _, text := range append([]string{p.Text, p.Context, p.Title, s.asked}, p.HeadingPath...) {
			for _, n := range figures().FindAllString(text, -1) {
				held[n], held[strings.ReplaceAll(n, ",", "")] = true, true
			}
		}
		s.numbers[passage] = held
	}
	for _, n := range figures().FindAllString(sentence, -1) {
		if !held[n] && !held[strings.ReplaceAll(n, ",", "")] {
			return false
		}
	}
	return true
}

// foreign compares a sentence in another language than the passages by its figures and the names
// that have the form of code.
func (s *Support) foreign(sentence string, only []int) Match {
	var names []string
	for w := range strings.FieldsSeq(sentence) {
		if w = strings.Trim(w, ".,;:!?()[]\"'“”„«»*`"); strings.ContainsAny(w, "0123456789_/") {
			names = append(names, w)
		}
	}
	best := Match{Unknown: true}
	for i := range s.spans {
		sp := &s.spans[i]
		if len(only) > 0 && !slices.Contains(only, sp.passage) {
			continue
		}
		n := 0
		for _, w := range names {
			if strings.Contains(sp.Text, w) {
				n++
			}
		}
		if share := float64(n) / float64(max(len(names), 1)); share > best.Share {
			best = Match{Passage: sp.passage, Begin: sp.Start, End: sp.End, Share: share}
		}
	}
	if best.Passage > 0 && !s.Figures(sentence, best.Passage) {
		best.Share *= misstated
	}
	return best
}

// figures finds the numbers of a text.
var figures = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // compiled once, for all replies
	return regexp.MustCompile(`\d+(?:[.,]\d+)*`)
})
