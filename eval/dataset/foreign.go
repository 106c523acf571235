package dataset

import (
	"slices"
	"strings"
)

// Pool holds the questions of one set that are off topic for another set.
type Pool struct {
	Set       string
	Questions []Question
}

// Pools returns the questions of other sets that the documents of the set called name cannot answer. They are in English, their own documents
// answer them, they need no earlier questions, and their set is about another subject.
func Pools(all []*Set, name string) []Pool {
	manual := slices.ContainsFunc(all, func(s *Set) bool { return s.Name == name && s.aboutManuals() })
	var pools []Pool
	for _, other := range all {
		if Subject(other.Name) == Subject(name) || other.Language != "en" || manual && other.aboutManuals() {
			continue
		}
		questions := slices.DeleteFunc(slices.Clone(other.Questions), func(q Question) bool { return !q.Answerable || len(q.History) > 0 })
		if len(questions) > 0 {
			pools = append(pools, Pool{other.Name, questions})
		}
	}
	return pools
}

// aboutManuals reports whether the questions are about manuals. Manuals describe each other's programs.
func (s *Set) aboutManuals() bool {
	return slices.ContainsFunc(s.Questions, func(q Question) bool { return q.Manual != nil })
}

// Foreign returns n questions that are off topic for set, the same number from each pool.
func Foreign(all []*Set, set *Set, n int) []Question {
	pools := Pools(all, set.Name)
	var list []Question
	for _, p := range pools {
		list = append(list, Sample(p.Questions, n/len(pools))...)
	}
	return list
}

// Sample returns at most limit questions, evenly spread. 0 means all.
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

// Subject returns what a set is about, which several sets may share.
func Subject(name string) string {
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
