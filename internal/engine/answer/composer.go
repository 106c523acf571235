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

// Models are the learned models for one kind of passages.
type Models struct {
	Choice     *forest.Model // scores statements by StatementFeatures
	Confidence *forest.Model // the chance, by ConfidenceFeatures, that the question is answered
	Threshold  float64       // below this confidence there is no answer
}

// The kinds of models.
const (
	Vectors = "vectors" // for questions in English about passages with cosines
	Words   = "words"   // for questions in English about passages without cosines
	Others  = "others"  // for questions in other languages
)

// Composer composes answers. It uses cosines only for questions in English: how reliable
// they are in other languages depends on the embedding model, which it does not know.
// A Composer is safe for concurrent use.
type Composer struct{ models map[string]*Models }

// New returns a composer with the models that come with the program.
func New() (*Composer, error) {
	c := &Composer{models: map[string]*Models{}}
	for _, kind := range []string{Vectors, Words, Others} {
		data, err := files.ReadFile("models/" + kind + ".json")
		if err != nil {
			return nil, fmt.Errorf("read the models of answers: %w", err)
		}
		features, confidenceFeatures := WordStatementFeatures(), WordConfidenceFeatures()
		if kind == Vectors {
			features, confidenceFeatures = StatementFeatures(), ConfidenceFeatures()
		}
		if c.models[kind], err = parse(data, features, confidenceFeatures); err != nil {
			return nil, fmt.Errorf("read models/%s.json: %w", kind, err)
		}
	}
	return c, nil
}

// With returns a composer that uses the same models for every kind.
func With(m *Models) *Composer {
	return &Composer{models: map[string]*Models{Vectors: m, Words: m, Others: m}}
}

func parse(data []byte, features, confidenceFeatures []string) (*Models, error) {
	var file struct {
		Choice     json.RawMessage `json:"choose"`
		Confidence json.RawMessage `json:"judge"`
		Threshold  float64         `json:"threshold"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	m := &Models{Threshold: file.Threshold}
	var err error
	if m.Choice, err = forest.Parse(file.Choice, features); err != nil {
		return m, fmt.Errorf("choose: %w", err)
	}
	if m.Confidence, err = forest.Parse(file.Confidence, confidenceFeatures); err != nil {
		return m, fmt.Errorf("judge: %w", err)
	}
	return m, nil
}

// reading holds the statements of a question's passages and their scores.
type reading struct {
	models             *Models
	asked              *question
	all                []quotation // in the order of the passages
	features           [][]float64 // of all
	chosen             []quotation // the statements of the answer
	confidenceFeatures []float64
	confidence         float64
}

func (c *Composer) read(question string, q *lexical.Question, passages []Passage, o Options) reading {
	o = o.withDefaults(0)
	passages = passages[:min(len(passages), o.Passages)]
	r := reading{asked: newQuestion(question, q)}
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
	weigh(r.all, func(i int) float64 { return r.models.Choice.Score(r.features[i]) })
	var how selection
	r.chosen, how = r.asked.compose(passages, r.all, o)
	r.confidenceFeatures = r.asked.confidenceFeatures(passages, &r, how)
	if len(r.chosen) > 0 {
		r.confidence = r.models.Confidence.Chance(r.confidenceFeatures)
	}
	return r
}

// Reading is what the models are trained on: the statements of a question's passages with
// their features, and the features of the confidence.
type Reading struct {
	Texts              []string // the statements that can be quoted, as they are shown
	Passages           []int    // place of each one's passage
	Features           [][]float64
	ConfidenceFeatures []float64
}

// Read returns the features of a question and its passages, to train models with.
func (c *Composer) Read(question string, q *lexical.Question, passages []Passage, o Options) Reading {
	r := c.read(question, q, passages, o)
	out := Reading{ConfidenceFeatures: r.confidenceFeatures}
	for i := range r.all {
		if s := &r.all[i]; s.quotable() {
			out.Texts, out.Passages, out.Features = append(out.Texts, s.shown()), append(out.Passages, s.passage), append(out.Features, r.features[i])
		}
	}
	return out
}
