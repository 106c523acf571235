package answer

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"docqa/internal/engine/forest"
	"docqa/internal/engine/lexical"
)

//go:embed models
var files embed.FS

// Models are what was learned for one kind of passages.
type Models struct {
	Choose    *forest.Model // scores statements by StatementFeatures
	Judge     *forest.Model // says by Signs whether a question is answered
	Threshold float64       // confidence below which there is no answer
}

// The kinds of models.
const (
	Vectors = "vectors" // for questions in English about passages with cosines
	Words   = "words"   // about passages without
	Others  = "others"  // for questions in other languages
)

// Composer composes answers. Cosines count where the question is in English: what they
// are worth in other languages depends on who made them, and nothing here tells.
// Composers are safe for concurrent use.
type Composer struct{ models map[string]*Models }

// New returns a composer with the models that come with the program.
func New() (*Composer, error) {
	c := &Composer{models: map[string]*Models{}}
	for _, kind := range []string{Vectors, Words, Others} {
		data, err := files.ReadFile("models/" + kind + ".json")
		if err != nil {
			return nil, fmt.Errorf("read the models of answers: %w", err)
		}
		features, signs := WordStatementFeatures(), WordSigns()
		if kind == Vectors {
			features, signs = StatementFeatures(), Signs()
		}
		if c.models[kind], err = parse(data, features, signs); err != nil {
			return nil, fmt.Errorf("read models/%s.json: %w", kind, err)
		}
	}
	return c, nil
}

// With returns a composer of the same models for every kind.
func With(m *Models) *Composer {
	return &Composer{models: map[string]*Models{Vectors: m, Words: m, Others: m}}
}

func parse(data []byte, features, signs []string) (*Models, error) {
	var file struct {
		Choose    json.RawMessage `json:"choose"`
		Judge     json.RawMessage `json:"judge"`
		Threshold float64         `json:"threshold"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	m := &Models{Threshold: file.Threshold}
	var err error
	if m.Choose, err = forest.Parse(file.Choose, features); err != nil {
		return m, fmt.Errorf("choose: %w", err)
	}
	if m.Judge, err = forest.Parse(file.Judge, signs); err != nil {
		return m, fmt.Errorf("judge: %w", err)
	}
	return m, nil
}

// reading is what was read in the passages of a question.
type reading struct {
	models     *Models
	asked      *inquiry
	all        []quotation // in the order of the passages
	features   [][]float64 // of all
	signs      []float64
	confidence float64
}

func (c *Composer) read(question string, q *lexical.Question, passages []Passage, o Options) reading {
	passages = passages[:min(len(passages), o.withDefaults(0).Passages)]
	r := reading{asked: newInquiry(question, q)}
	kind := Words
	switch l := r.asked.lang; {
	case l != lexical.English && l != lexical.Unknown:
		kind = Others
	case slices.ContainsFunc(passages, func(p Passage) bool { return len(p.Sentences) > 0 }):
		kind, r.asked.vectors = Vectors, true
	}
	r.models = c.models[kind]
	for i := range passages {
		r.all = append(r.all, r.asked.quotations(i, &passages[i])...)
	}
	r.all = dedupe(r.all)
	r.features = r.asked.features(passages, r.all)
	weigh(r.all, func(i int) float64 { return r.models.Choose.Score(r.features[i]) })
	r.signs = r.asked.signs(passages, r.all, r.features)
	if len(r.all) > 0 {
		r.confidence = r.models.Judge.Chance(r.signs)
	}
	return r
}

// Reading is what a learner sees of a question: the statements with their features, and
// the signs.
type Reading struct {
	Texts    []string // of the statements that can be quoted
	Passages []int    // place of each one's passage
	Features [][]float64
	Signs    []float64
}

// Read describes a question to a learner.
func (c *Composer) Read(question string, q *lexical.Question, passages []Passage, o Options) Reading {
	r := c.read(question, q, passages, o)
	out := Reading{Signs: r.signs}
	for i := range r.all {
		if s := &r.all[i]; s.quotable() {
			out.Texts, out.Passages, out.Features = append(out.Texts, s.text), append(out.Passages, s.passage), append(out.Features, r.features[i])
		}
	}
	return out
}
