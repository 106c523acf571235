// Package report holds the figures of a benchmark run, compares them with their targets, and prints them as a table.
//
// It measures nothing. Its invariant: a figure that could not be measured never counts as reached.
package report

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

// Row is one figure, what it is compared with in the same run, and its target.
type Row struct {
	ID     string    `json:"id"`
	Work   string    `json:"work"`
	Value  float64   `json:"value"`
	Unit   string    `json:"unit"`
	Beside string    `json:"beside"`           // the other product, or the lower bound
	Other  *float64  `json:"other"`            // its figure, in the same unit
	Ratio  *float64  `json:"ratio"`            // Other divided by Value
	Target string    `json:"target"`           // in words
	Met    *bool     `json:"met"`              // nil: there is no target
	All    []float64 `json:"values,omitempty"` // Value is their median
}

// Median is a row with the median of values.
func Median(id, work, unit string, values []float64) Row {
	return Row{ID: id, Work: work, Unit: unit, Value: Quantile(values, .5), All: values}
}

// Figure is a row with one value.
func Figure(id, work, unit string, value float64) Row {
	return Row{ID: id, Work: work, Unit: unit, Value: value}
}

const unmeasured = "not measured: "

// Missing is the row of a comparison that could not be made. Its target counts as missed.
func Missing(id, work, other, reason string) Row {
	return Row{ID: id, Work: work, Beside: other, Target: unmeasured + reason, Met: new(false)}
}

// AtMost sets the target that the value is at most limit.
func (r Row) AtMost(limit float64) Row {
	r.Target = strings.TrimSpace(fmt.Sprintf("≤ %.4g %s", limit, r.Unit))
	r.Met = new(r.Value <= limit)
	return r
}

// AtLeast sets the target that the value is at least limit.
func (r Row) AtLeast(limit float64) Row {
	r.Target = strings.TrimSpace(fmt.Sprintf("≥ %.4g %s", limit, r.Unit))
	r.Met = new(r.Value >= limit)
	return r
}

// ComparedWith adds the figure of another product, or a lower bound, in the same unit.
func (r Row) ComparedWith(name string, other float64) Row {
	r.Beside, r.Other, r.Ratio = name, new(other), nil
	if r.Value > 0 {
		r.Ratio = new(other / r.Value)
	}
	return r
}

// TimesLess sets the target that the value is at least so many times less than the other figure.
func (r Row) TimesLess(times float64) Row {
	r.Target = fmt.Sprintf("≥ %.4g × less", times)
	r.Met = new(r.Other != nil && r.Value*times <= *r.Other)
	return r
}

// TimesMore sets the target that the value is at least so many times more than the other figure, and turns the ratio round.
func (r Row) TimesMore(times float64) Row {
	r.Ratio = new(r.Value / *r.Other)
	r.Target, r.Met = fmt.Sprintf("≥ %.4g × more", times), new(*r.Ratio >= times)
	return r
}

// NotBelow sets the target that the value is not below the other figure.
func (r Row) NotBelow() Row {
	r.Target, r.Met = "not below", new(r.Value >= *r.Other)
	return r
}

// WithoutTarget removes the target.
func (r Row) WithoutTarget() Row {
	r.Target, r.Met = "", nil
	return r
}

// Quantile returns the value below which the share q of values lies. The values need not be sorted.
func Quantile(values []float64, q float64) float64 {
	return score.Quantile(slices.Sorted(slices.Values(values)), q)
}

// Milliseconds converts a duration to milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Print writes the rows as a table.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "#\twork\tmeasured\t\tcompared with\tits figure\tratio\ttarget\t")
	met, all := 0, 0
	for i := range r.Rows {
		x := &r.Rows[i]
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", x.ID, x.Work, x.value(), x.Unit, x.Beside,
			optional(x.Other), optional(x.Ratio), x.Target, x.verdict())
		if x.Met != nil {
			all++
			if *x.Met {
				met++
			}
		}
	}
	_, _ = fmt.Fprintf(t, "\n%d of %d targets reached\n", met, all)
	return t.Flush()
}

func (r Row) value() string {
	if strings.HasPrefix(r.Target, unmeasured) {
		return "-"
	}
	return fmt.Sprintf("%.4g", r.Value)
}

func (r Row) verdict() string {
	switch {
	case r.Met == nil:
		return ""
	case *r.Met:
		return "reached"
	default:
		return "missed"
	}
}

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf("%.4g", *v)
}
