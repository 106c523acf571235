package dataset

import (
	"slices"
	"strings"
)

// Pool is the questions of one set that another can be asked.
type Pool struct {
	Set       string
	Questions []Question
}

// Pools returns the questions of other sets which the documents of the set called name
// cannot answer: plain, single, in English, and not of a set about the same things.
func Pools(all []*Set, name string) []Pool {
	var pools []Pool
	for _, other := range all {
		if Kin(other.Name) == Kin(name) || other.Language != "en" {
			continue
		}
		questions := slices.DeleteFunc(slices.Clone(other.Questions), func(q Question) bool { return !q.Answerable || len(q.History) > 0 })
		if len(questions) > 0 {
			pools = append(pools, Pool{other.Name, questions})
		}
	}
	return pools
}

// Foreign returns n questions of the pools for set, the same number of each.
func Foreign(all []*Set, set *Set, n int) []Question {
	pools := Pools(all, set.Name)
	var list []Question
	for _, p := range pools {
		list = append(list, Sample(p.Questions, n/len(pools))...)
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

// Kin names what a set is about, where several share it.
func Kin(name string) string {
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
