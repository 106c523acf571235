package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"docqa/eval/score"
)

// Report is what was measured.
type Report struct {
	Rows []Row `json:"rows"`
}

// Row is one figure, what stands beside it in the same run, and what is to be reached.
type Row struct {
	ID     string    `json:"id"`
	Work   string    `json:"work"`
	Value  float64   `json:"value"`
	Unit   string    `json:"unit"`
	Beside string    `json:"beside"`           // the other product, or the floor
	Other  *float64  `json:"other"`            // its figure, in the same unit
	Ratio  *float64  `json:"ratio"`            // other over value
	Target string    `json:"target"`           // in words
	Met    *bool     `json:"met"`              // nil: nothing to reach
	All    []float64 `json:"values,omitempty"` // what Value is the median of
}

// median is a row of the median of values.
func median(id, work, unit string, values []float64) Row {
	return Row{ID: id, Work: work, Unit: unit, Value: quantile(values, .5), All: values}
}

// figure is a row of one value.
func figure(id, work, unit string, value float64) Row {
	return Row{ID: id, Work: work, Unit: unit, Value: value}
}

// atMost sets what the value may be at most.
func (r Row) atMost(most float64) Row {
	r.Target = strings.TrimSpace(fmt.Sprintf("≤ %.4g %s", most, r.Unit))
	r.Met = new(r.Value <= most)
	return r
}

// atLeast sets what the value has to be at least.
func (r Row) atLeast(least float64) Row {
	r.Target = strings.TrimSpace(fmt.Sprintf("≥ %.4g %s", least, r.Unit))
	r.Met = new(r.Value >= least)
	return r
}

// beside puts another figure of the same unit beside the value.
func (r Row) beside(name string, other float64) Row {
	r.Beside, r.Other, r.Ratio = name, new(other), nil
	if r.Value > 0 {
		r.Ratio = new(other / r.Value)
	}
	return r
}

// less sets how many times less than the other figure the value has to be.
func (r Row) less(times float64) Row {
	r.Target = fmt.Sprintf("≥ %.4g × less", times)
	r.Met = new(r.Other != nil && r.Value*times <= *r.Other)
	return r
}

const unmeasured = "not measured: "

// missing is the row of a comparison that could not be made: it is never reached.
func missing(id, work, beside, why string) Row {
	return Row{ID: id, Work: work, Beside: beside, Target: unmeasured + why, Met: new(false)}
}

func quantile(values []float64, q float64) float64 {
	return score.Quantile(slices.Sorted(slices.Values(values)), q)
}

// Print writes the rows as a table.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "#\twork\tmeasured\t\tbeside\tits figure\tratio\tto reach\t")
	met, all := 0, 0
	for i := range r.Rows {
		x := &r.Rows[i]
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", x.ID, x.Work, number(!strings.HasPrefix(x.Target, unmeasured), x.Value), x.Unit, x.Beside,
			pointed(x.Other), pointed(x.Ratio), x.Target, verdict(x.Met))
		if x.Met != nil {
			all++
			if *x.Met {
				met++
			}
		}
	}
	_, _ = fmt.Fprintf(t, "\n%d of %d reached\n", met, all)
	return t.Flush()
}

func number(has bool, v float64) string {
	if !has {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}

func pointed(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.4g", *v)
}

func verdict(met *bool) string {
	switch {
	case met == nil:
		return ""
	case *met:
		return "reached"
	default:
		return "missed"
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
