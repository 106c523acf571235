package evaluation

import (
	"slices"

	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
)

// keptShare is the share of answerable questions that a threshold must let pass.
const keptShare = .95

// shownProblems bounds how many broken citations a report lists.
const shownProblems = 20

// Report is the outcome of a run.
type Report struct {
	Sets []*SetReport `json:"sets"`
}

// SetReport holds a set's figures.
type SetReport struct {
	Set           string    `json:"set"`
	Language      string    `json:"language"`
	Documents     int       `json:"documents"`
	Questions     int       `json:"questions"`
	IngestSeconds float64   `json:"ingestSeconds"`
	Search        Hits      `json:"search"`
	Textbook      Hits      `json:"textbookBM25"`
	Answers       Answers   `json:"answers"`
	Refusals      Refusals  `json:"refusals"`
	Citations     Citations `json:"citations"`
	SearchMS      Latency   `json:"searchMs"`
	ChatMS        Latency   `json:"chatMs"`
}

// Hits are the shares of questions with the gold place among the first 1, 5 and 10 results.
type Hits struct {
	At1  score.Estimate `json:"at1"`
	At5  score.Estimate `json:"at5"`
	At10 score.Estimate `json:"at10"`
}

// Answers are shares of the answerable questions.
type Answers struct {
	Answered        score.Estimate `json:"answered"`
	HoldIn45Words   score.Estimate `json:"holdIn45Words"`
	HoldInSentences score.Estimate `json:"holdInThreeSentences"`
	Hold            score.Estimate `json:"hold"`
}

// Refusals are shares of the questions that the documents do not answer. OffTopicAt95 and
// UnanswerableAUC take the answer's confidence as the score: the share of off-topic questions below
// the threshold that 95 % of the answerable ones exceed, and the area under the curve against the
// unanswerable ones of the same documents.
type Refusals struct {
	OffTopic        score.Estimate `json:"offTopic"`
	OffTopicAt95    float64        `json:"offTopicAt95"`
	Unanswerable    score.Estimate `json:"unanswerable"`
	UnanswerableAUC float64        `json:"unanswerableAUC"`
}

// Citations count the sources of all answers, and the markers in their text.
type Citations struct {
	Sources         int      `json:"sources"`
	Verbatim        int      `json:"verbatim"`
	Markers         int      `json:"markers"`
	MarkersResolved int      `json:"markersResolved"`
	Unmarked        int      `json:"answersWithoutMarker"`
	Problems        []string `json:"problems"`
}

// Latency is in milliseconds, as the client sees it with the run's parallel requests.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

func latency(took []float64) Latency {
	sorted := slices.Sorted(slices.Values(took))
	return Latency{P50: score.Quantile(sorted, .5), P95: score.Quantile(sorted, .95)}
}

func hits(ranks []int) Hits {
	within := func(k int) score.Estimate {
		values := make([]bool, len(ranks))
		for i, r := range ranks {
			values[i] = r > 0 && r <= k
		}
		return score.Share(values)
	}
	return Hits{At1: within(1), At5: within(5), At10: within(10)}
}

// conclude sums up the judgements of the set's own questions and of strangers.
func (s *SetReport) conclude(questions []dataset.Question, judged, strangers []judgement) {
	var own, without []judgement
	for i := range questions {
		if questions[i].Answerable {
			own = append(own, judged[i])
		} else {
			without = append(without, judged[i])
		}
	}
	s.Answers = Answers{
		Answered:        shareOf(own, func(j *judgement) bool { return j.answered }),
		HoldIn45Words:   shareOf(own, func(j *judgement) bool { return j.inWords }),
		HoldInSentences: shareOf(own, func(j *judgement) bool { return j.inSentences }),
		Hold:            shareOf(own, func(j *judgement) bool { return j.inAll }),
	}
	refused := func(j *judgement) bool { return !j.answered }
	s.Refusals = Refusals{
		OffTopic:        shareOf(strangers, refused),
		OffTopicAt95:    score.RefusedAt(keptShare, confidences(own), confidences(strangers)),
		Unanswerable:    shareOf(without, refused),
		UnanswerableAUC: score.AUC(confidences(own), confidences(without)),
	}
	for _, j := range slices.Concat(judged, strangers) {
		s.Citations.add(&j)
	}
}

func (c *Citations) add(j *judgement) {
	c.Sources += j.citations
	c.Verbatim += j.exact
	c.Markers += j.markers
	c.MarkersResolved += j.resolved
	if j.answered && j.markers == 0 {
		c.Unmarked++
	}
	room := max(0, shownProblems-len(c.Problems))
	c.Problems = append(c.Problems, j.problems[:min(room, len(j.problems))]...)
}

func shareOf(list []judgement, is func(*judgement) bool) score.Estimate {
	values := make([]bool, len(list))
	for i := range list {
		values[i] = is(&list[i])
	}
	return score.Share(values)
}

// confidences are the answers' own scores, 0 for a refusal.
func confidences(list []judgement) []float64 {
	values := make([]float64, len(list))
	for i := range list {
		values[i] = list[i].confidence
	}
	return values
}
