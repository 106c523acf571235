package quality

import (
	"docqa/eval/score"
)

// shownProblems bounds how many broken citations a set's report lists.
const shownProblems = 20

// Report is the outcome of a run.
type Report struct {
	Retrieval string       `json:"retrieval"` // hybrid or keyword, as the API reported
	Model     string       `json:"model"`     // of the vectors; empty without
	Limit     int          `json:"limit"`     // questions of each set; 0 = all
	Seconds   float64      `json:"seconds"`
	Rows      []Row        `json:"rows"`
	Sets      []*SetReport `json:"sets"`
}

// SetReport holds the figures of one set.
type SetReport struct {
	Set           string           `json:"set"`
	Language      string           `json:"language"`
	Seen          bool             `json:"seen"` // a model was trained on its questions
	Documents     int              `json:"documents"`
	IngestSeconds float64          `json:"ingestSeconds"`
	SearchMS      Latency          `json:"searchMs"`
	ChatMS        Latency          `json:"chatMs"`
	Questions     []Record         `json:"questions"`
	Foreign       map[string][]Ask `json:"foreign"`  // replies to questions of other sets, by set
	Problems      []string         `json:"problems"` // the first citations whose excerpt is not at its place
}

// Record holds the figures of one question of the set.
type Record struct {
	ID         string        `json:"id"`
	Answerable bool          `json:"answerable"`
	Located    bool          `json:"located"`     // the data names the place of the answer
	Plain      score.Ranking `json:"search"`      // with the default settings
	Reranked   score.Ranking `json:"reranked"`    // with the reranking stage
	Coverage   float64       `json:"coverageAt5"` // largest share of a gold paragraph in one of the first five results
	Textbook   score.Ranking `json:"textbook"`    // by the textbook's ranking
	BestScore  float64       `json:"textbookTop"` // score of the textbook's first result
	Ask        `json:"chat"`
}

// Ask holds the figures of one reply of the chat.
type Ask struct {
	ID          string  `json:"id"`
	Answered    bool    `json:"answered"`
	Confidence  float64 `json:"confidence"`
	Answer      string  `json:"answer"`
	InWords     bool    `json:"holdsIn45Words"`
	InSentences bool    `json:"holdsInThreeSentences"`
	InAll       bool    `json:"holds"`
	Sources     int     `json:"sources"`
	Verbatim    int     `json:"verbatim"` // sources whose excerpt is at its place
	Markers     int     `json:"markers"`
	Resolved    int     `json:"resolved"` // markers that name a source

	Manual *ManualAsk `json:"manual,omitempty"`

	problems  []string
	bestScore float64 // the textbook's
}

// Row is one line of the table.
type Row struct {
	Section  Section        `json:"section"`
	Set      string         `json:"set"`
	Measure  string         `json:"measure"`
	Textbook *float64       `json:"textbook"` // the same figure of the textbook's ranking; nil if it has none
	Service  score.Estimate `json:"service"`
	Target   *float64       `json:"target"` // the least value to reach; nil = none
	Met      *bool          `json:"met"`
	// CrossValidated is the same figure of models that were not trained on the documents in question, where the set was seen in training.
	CrossValidated *float64 `json:"crossValidated,omitempty"`
}

// Section groups rows.
type Section string

// The sections, in the order of the table.
const (
	Retrieval    Section = "RETRIEVAL"
	Answers      Section = "ANSWER TEXT"
	OffTopic     Section = "OFF TOPIC"
	Unanswerable Section = "UNANSWERABLE"
	Citations    Section = "CITATIONS"
	Manuals      Section = "MANUALS"
)

// Latency is in milliseconds, as the client sees it with the run's parallel requests.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}
