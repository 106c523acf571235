package quality

import "strings"

const (
	// minPassed is the share of answerable questions that must be answered while off-topic ones are refused.
	minPassed = .95
	// minAnswered is the share of answerable questions that must be answered while unanswerable ones about the same documents are refused.
	minAnswered = .9
	// offTopicTarget is the share of off-topic questions to refuse, for each pair of sets.
	offTopicTarget = .97
	// citationTarget is for excerpts and markers.
	citationTarget = 1.
)

// The least values to reach, by the name of the set. The value of xquad holds for each of its languages.
func retrievalTargets() map[string]float64 { // hit@5
	return map[string]float64{
		"squad2": .98, "clapnq": .99, "xquad": .97, "tatqa": .92, "mtrag-un": .98, "financebench": .75, "northwind": .98,
	}
}

func unanswerableTargets() map[string]float64 { // AUC
	return map[string]float64{"clapnq": .92, "squad2": .75, "northwind": .99, "mtrag-un": .75}
}

func wordsTargets() map[string]float64     { return map[string]float64{"squad2": .85} }
func sentencesTargets() map[string]float64 { return map[string]float64{"squad2": .94} }

// targetOf returns the target of a set. A set called name-language has the target of name if it has none of its own. nil = none.
func targetOf(targets map[string]float64, set string) *float64 {
	if value, ok := targets[set]; ok {
		return &value
	}
	if at := strings.LastIndexByte(set, '-'); at > 0 {
		if value, ok := targets[set[:at]]; ok {
			return &value
		}
	}
	return nil
}
