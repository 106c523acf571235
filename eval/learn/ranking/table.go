package ranking

import (
	"fmt"
	"io"
	"text/tabwriter"

	"docqa/eval/score"
)

// table holds the hits of each ranking, by set.
type table struct {
	sets []string
	rows []row
}

type row struct {
	set, order string
	hits       [3]score.Estimate // at 1, 5 and 10
}

// add counts the hits of a ranking. ranks holds the place of the first hit of each case.
func (t *table) add(order string, cases []*Case, ranks []int) {
	for _, set := range t.sets {
		r := row{set: set, order: order}
		for j, k := range []int{1, 5, 10} {
			var hit []bool
			for i, c := range cases {
				if c.Corpus.Set.Name == set {
					hit = append(hit, ranks[i] > 0 && ranks[i] <= k)
				}
			}
			r.hits[j] = score.Share(hit)
		}
		t.rows = append(t.rows, r)
	}
}

// print writes the table, with the rankings of a set below each other.
func (t *table) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "set\tn\torder\thit@1\thit@5\thit@10")
	for _, set := range t.sets {
		for _, r := range t.rows {
			if r.set == set {
				_, _ = fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%s\t%s\n", set, r.hits[0].N, r.order, estimate(r.hits[0]), estimate(r.hits[1]), estimate(r.hits[2]))
			}
		}
	}
	return out.Flush()
}

func estimate(e score.Estimate) string {
	return fmt.Sprintf("%.3f [%.3f %.3f]", e.Value, e.Low, e.High)
}
