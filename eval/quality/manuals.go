package quality

import (
	"docqa/eval/dataset"
	"docqa/eval/manuals"
	"docqa/eval/score"
)

// ManualAsk is what a reply to a question about manuals is worth.
type ManualAsk struct {
	manuals.Score

	Kind     manuals.Kind `json:"kind"`
	Part     string       `json:"part"`
	Readable bool         `json:"readable"` // or refused
}

// scoreManual returns nil for a question that is not about manuals.
func scoreManual(q *dataset.Question, got *reply) *ManualAsk {
	if q.Manual == nil {
		return nil
	}
	return &ManualAsk{
		Score: manuals.ScoreOf(q.Manual, &manuals.Reply{Text: got.text, Answered: got.answered}), Kind: q.Manual.Kind, Part: q.Manual.Part,
		Readable: !got.answered || manuals.Readable(q.Manual, got.text),
	}
}

// The least shares to reach on manuals that no model was trained on.
const (
	completeTarget     = .75
	containsTarget     = .85
	firstTarget        = .70
	notWrongTarget     = .92
	defaultTarget      = .85
	otherDefaultTarget = .98
	nearTarget         = .80
	farTarget          = .99
	readableTarget     = .97
)

// manualRows returns the figures of the manuals of all sets together: of the part that is kept for measuring, with targets, and of the part
// that the models learn from, without.
func manualRows(sets []*SetReport) []Row {
	return append(partRows(sets, manuals.Unseen, true), partRows(sets, manuals.Learn, false)...)
}

func partRows(sets []*SetReport, part string, targets bool) []Row {
	var own, defaults, near, far []Ask
	for _, s := range sets {
		for i := range s.Questions {
			a := s.Questions[i].Ask
			switch {
			case a.Manual == nil || a.Manual.Part != part:
			case a.Manual.Kind == manuals.Near:
				near = append(near, a)
			case a.Manual.Kind == manuals.Far:
				far = append(far, a)
			default:
				own = append(own, a)
				if a.Manual.Kind == manuals.Default {
					defaults = append(defaults, a)
				}
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	var rows []Row
	add := func(measure string, list []Ask, target float64, holds func(a *Ask) bool) {
		row := Row{Section: Manuals, Set: "manuals, " + part, Measure: measure, Service: score.Share(values(list, holds))}
		if targets {
			row = row.withTarget(&target)
		}
		rows = append(rows, row)
	}
	add("right and complete", own, completeTarget, func(a *Ask) bool { return a.Manual.Complete })
	add("holds the fact", own, containsTarget, func(a *Ask) bool { return a.Manual.Contains })
	add("first statement right", own, firstTarget, func(a *Ask) bool { return a.Manual.FirstRight })
	add("not wrong", own, notWrongTarget, func(a *Ask) bool { return !a.Manual.Wrong })
	add("default right", defaults, defaultTarget, func(a *Ask) bool { return a.Manual.Contains })
	add("default not of another entry", defaults, otherDefaultTarget, func(a *Ask) bool { return !a.Manual.OtherEntry })
	add("answered", own, minKept, func(a *Ask) bool { return a.Answered })
	add("near-misses refused", near, nearTarget, func(a *Ask) bool { return !a.Answered })
	add("far questions refused", far, farTarget, func(a *Ask) bool { return !a.Answered })
	add("readable", pick(own, func(a *Ask) bool { return a.Answered }), readableTarget, func(a *Ask) bool { return a.Manual.Readable })
	return rows
}

// minKept is the share of the answerable questions about manuals that must be answered while near-misses are refused.
const minKept = .85
