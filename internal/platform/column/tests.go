package column

// TestResult is how one question of a test run ended, as it is stored with the run.
//
// Source: docs/decisions.md#prompt-tests.
type TestResult struct {
	Status    string       `json:"status"` // pass, fail, error
	Answer    string       `json:"answer,omitempty"`
	Sources   Sources      `json:"sources"`
	Checks    []TestCheck  `json:"checks"`
	Score     *float64     `json:"score,omitempty"` // agreement with the expected answer, 0 to 1
	Ranking   *TestRanking `json:"ranking,omitempty"`
	LatencyMS int          `json:"latencyMs"`
	Error     string       `json:"error,omitempty"` // safe to show
}

// TestCheck is the result of one check of an answer.
type TestCheck struct {
	Type   string `json:"type"` // answered, sources_cited, answer_matches
	Passed bool   `json:"passed"`
	Detail string `json:"detail"`
}

// TestRanking says how well the required documents were found, each figure 0 to 1.
type TestRanking struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	MRR       float64 `json:"mrr"`
	NDCG      float64 `json:"ndcg"`
}
