package answer

import (
	"embed"
	"encoding/json"
	"fmt"

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

// Composer composes answers. Safe for concurrent use.
type Composer struct {
	words, vectors Models // for passages without and with vectors
}

// New returns a composer with the models that come with the program.
func New() (*Composer, error) {
	var c Composer
	for name, into := range map[string]*Models{"words": &c.words, "vectors": &c.vectors} {
		data, err := files.ReadFile("models/" + name + ".json")
		if err != nil {
			return nil, fmt.Errorf("read the models of answers: %w", err)
		}
		features, signs := StatementFeatures(), Signs()
		if name == "words" {
			features, signs = WordStatementFeatures(), WordSigns()
		}
		if *into, err = parse(data, features, signs); err != nil {
			return nil, fmt.Errorf("read models/%s.json: %w", name, err)
		}
	}
	return &c, nil
}

// With returns a composer of other models.
func With(words, vectors Models) *Composer { return &Composer{words: words, vectors: vectors} }

func parse(data []byte, features, signs []string) (Models, error) {
	var file struct {
		Choose    json.RawMessage `json:"choose"`
		Judge     json.RawMessage `json:"judge"`
		Threshold float64         `json:"threshold"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return Models{}, err
	}
	m := Models{Threshold: file.Threshold}
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
	r := reading{models: &c.words, asked: newInquiry(question, q)}
	for i := range passages {
		r.asked.vectors = r.asked.vectors || len(passages[i].Sentences) > 0
	}
	if r.asked.vectors {
		r.models = &c.vectors
	}
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
