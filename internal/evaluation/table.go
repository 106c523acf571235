package evaluation

import (
	"fmt"
	"io"
	"text/tabwriter"

	"docqa/internal/evaluation/score"
)

// Print writes the report as a table.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "SEARCH\tn\thit@1\thit@5\t95 %\thit@10\ttextbook @1\t@5\t@10\tp50 ms\tingest s")
	for _, s := range r.Sets {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t%.1f\n", s.Set, s.Search.At5.N,
			s.Search.At1.Value, s.Search.At5.Value, below(s), interval(s.Search.At5), s.Search.At10.Value,
			s.Textbook.At1.Value, s.Textbook.At5.Value, s.Textbook.At10.Value, s.SearchMS.P50, s.IngestSeconds)
	}
	_, _ = fmt.Fprintln(t, "\nANSWERS\tn\tanswered\thold, 45 words\t3 sentences\twhole\tunanswerable refused\tAUC\toff topic refused\tat .95\tp50 ms")
	for _, s := range r.Sets {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t%.2f\t%s\t%.2f\t%.1f\n", s.Set, s.Answers.Answered.N,
			s.Answers.Answered.Value, s.Answers.HoldIn45Words.Value, s.Answers.HoldInSentences.Value, s.Answers.Hold.Value,
			orNone(s.Refusals.Unanswerable), s.Refusals.UnanswerableAUC, orNone(s.Refusals.OffTopic), s.Refusals.OffTopicAt95, s.ChatMS.P50)
	}
	_, _ = fmt.Fprintln(t, "\nCITATIONS\tsources\tverbatim\tmarkers\tresolved\tanswers without")
	for _, s := range r.Sets {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\n", s.Set, s.Citations.Sources, s.Citations.Verbatim,
			s.Citations.Markers, s.Citations.MarkersResolved, s.Citations.Unmarked)
	}
	for _, s := range r.Sets {
		for _, p := range s.Citations.Problems {
			_, _ = fmt.Fprintf(t, "%s: %s\n", s.Set, p)
		}
	}
	return t.Flush()
}

// below marks a set on which the textbook finds more.
func below(s *SetReport) string {
	if s.Search.At5.Value < s.Textbook.At5.Value {
		return " (below)"
	}
	return ""
}

func interval(e score.Estimate) string { return fmt.Sprintf("%.3f to %.3f", e.Low, e.High) }

func orNone(e score.Estimate) string {
	if e.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f of %d", e.Value, e.N)
}
