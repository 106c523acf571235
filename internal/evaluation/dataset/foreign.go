package dataset

import (
	"slices"
	"strings"
)

// Foreign returns n questions of other sets, the same number of each, which the
// documents of set cannot answer: plain, single, in English, and not of a set about the
// same things.
func Foreign(all []*Set, set *Set, n int) []Question {
	var pools [][]Question
	for _, other := range all {
		if kin(other.Name) == kin(set.Name) || other.Language != "en" {
			continue
		}
		pool := slices.DeleteFunc(slices.Clone(other.Questions), func(q Question) bool { return !q.Answerable || len(q.History) > 0 })
		if len(pool) > 0 {
			pools = append(pools, pool)
		}
	}
	var list []Question
	for _, pool := range pools {
		list = append(list, Sample(pool, n/len(pools))...)
	}
	return list
}

// Sample takes at most limit questions, evenly spread; 0 = all.
func Sample(questions []Question, limit int) []Question {
	if limit <= 0 || len(questions) <= limit {
		return questions
	}
	list := make([]Question, limit)
	for i := range list {
		list[i] = questions[i*len(questions)/limit]
	}
	return list
}

// kin names what a set is about, where several share it.
func kin(name string) string {
	switch base, _, _ := strings.Cut(name, "-"); base {
	case "squad2", "xquad":
		return "encyclopedia articles of one selection"
	case "clapnq", "mtrag":
		return "passages of one selection"
	case "tatqa", "financebench", "sec10q":
		return "financial reports"
	default:
		return name
	}
}
