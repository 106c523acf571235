package fit

import "math"

// Logistic is the loss of a probability. labels[i] is 1 if example i is true. It counts weights[i] times; without weights it counts once.
func Logistic(labels, weights []float64) Loss {
	return func(scores, slope, curve []float64) {
		for i, s := range scores {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			p := 1 / (1 + math.Exp(-s))
			slope[i], curve[i] = w*(p-labels[i]), max(w*p*(1-p), 1e-9)
		}
	}
}

// Listwise is the loss of a ranking: those examples of a group that have a label should come first. The examples of a group follow each
// other. Groups without a label do not count.
func Listwise(labels []float64, groups []int) Loss {
	return func(scores, slope, curve []float64) {
		for from := 0; from < len(groups); {
			to := from + 1
			for to < len(groups) && groups[to] == groups[from] {
				to++
			}
			listwise(scores[from:to], labels[from:to], slope[from:to], curve[from:to])
			from = to
		}
	}
}

// listwise is the loss of one group: minus the logarithm of the share of the labelled ones in the softmax.
func listwise(scores, labels, slope, curve []float64) {
	highest := math.Inf(-1)
	for _, s := range scores {
		highest = max(highest, s)
	}
	var all, right float64
	for i, s := range scores {
		e := math.Exp(s - highest)
		slope[i] = e
		all += e
		right += e * labels[i]
	}
	for i := range scores {
		e := slope[i]
		p := e / all
		slope[i], curve[i] = 0, 1e-9
		if right > 0 {
			slope[i] = p - e*labels[i]/right
			curve[i] = max(p*(1-p), 1e-3)
		}
	}
}
