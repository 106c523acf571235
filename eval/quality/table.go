package quality

import (
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
)

// Print writes the sets and the rows with their targets as a table.
func (r *Report) Print(w io.Writer) error {
	with := "keyword search only, without a model"
	if r.Model != "" {
		with = "with the model " + filepath.Base(r.Model)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "Searches were answered in the mode %s (%s). The run took %.0f s.\n\n", r.Retrieval, with, r.Seconds)
	_, _ = fmt.Fprintln(t, "set\tdocuments\tquestions\tin training\tingested s\tsearch p50 ms\tp95\tchat p50 ms\tp95")
	for _, s := range r.Sets {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", s.Set, s.Documents, len(s.Questions), seen(s.Seen), s.IngestSeconds,
			s.SearchMS.P50, s.SearchMS.P95, s.ChatMS.P50, s.ChatMS.P95)
	}
	var section Section
	for i := range r.Rows {
		x := &r.Rows[i]
		if x.Section != section {
			section = x.Section
			_, _ = fmt.Fprintf(t, "\n%s\t\tn\ttextbook\tservice\t95 %%\tacross documents\ttarget\t\n", section)
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", x.Set, x.Measure, x.Service.N, optional(x.Textbook, ""), x.figure(), optional(x.CrossValidated, ""), optional(x.Target, "≥ "), x.verdict())
	}
	for _, s := range r.Sets {
		for _, p := range s.Problems {
			_, _ = fmt.Fprintf(t, "%s: %s\n", s.Set, p)
		}
	}
	_, _ = fmt.Fprintln(t, "\nOf a set that was seen in training, the figure across documents counts: that of models which were not trained on the documents in question.")
	met, all := r.score()
	_, _ = fmt.Fprintf(t, "\n%d of %d targets met\n", met, all)
	return t.Flush()
}

func seen(was bool) string {
	if was {
		return "seen"
	}
	return "unseen"
}

func (x Row) figure() string {
	if x.Service.N == 0 {
		return "-\t"
	}
	return fmt.Sprintf("%.4f\t%.3f to %.3f", x.Service.Value, x.Service.Low, x.Service.High)
}

func (x Row) verdict() string {
	switch {
	case x.Met == nil:
		return ""
	case *x.Met:
		return "met"
	default:
		return "missed"
	}
}

func optional(value *float64, before string) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprintf("%s%.3f", before, *value)
}

// score returns how many targets were met, and how many there are.
func (r *Report) score() (met, all int) {
	for i := range r.Rows {
		if r.Rows[i].Met != nil {
			all++
			if *r.Rows[i].Met {
				met++
			}
		}
	}
	return met, all
}
