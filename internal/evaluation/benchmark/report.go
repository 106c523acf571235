package benchmark

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"docqa/internal/evaluation/score"
)

// The figures to reach.
const (
	chatAboveCommitMS = 3.
	residentMB        = 80.
	startMS           = 300.
)

// Report holds the measured times in milliseconds, in the order of the rounds.
type Report struct {
	Chunks        int       `json:"chunks"`
	IngestMS      float64   `json:"ingestMs"`
	StartMS       []float64 `json:"startMs"`
	SelectMS      []float64 `json:"selectMs"`
	CommitMS      []float64 `json:"commitMs"`
	ChatMS        []float64 `json:"chatMs"`
	FirstFrameMS  []float64 `json:"firstFrameMs"`
	ResidentBytes int64     `json:"residentBytes"`
}

func quantile(values []float64, q float64) float64 {
	return score.Quantile(slices.Sorted(slices.Values(values)), q)
}

// Print writes the figures as a table, with the ratio to the floor and what is to be reached.
func (r *Report) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	commit := quantile(r.CommitMS, .5)
	_, _ = fmt.Fprintf(t, "\n%d chunks, %d rounds\tp50 ms\tp99 ms\tof a commit\n", r.Chunks, len(r.ChatMS))
	for _, row := range []struct {
		name  string
		times []float64
	}{
		{"SELECT 1 through pgx", r.SelectMS},
		{"one durable commit through pgx", r.CommitMS},
		{"POST /v1/chat, whole", r.ChatMS},
		{"POST /v1/chat/stream, first frame", r.FirstFrameMS},
	} {
		p50 := quantile(row.times, .5)
		_, _ = fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\n", row.name, p50, quantile(row.times, .99), p50/commit)
	}
	_, _ = fmt.Fprintln(t, "\nfigure\tmeasured\tto reach\t")
	above := quantile(r.ChatMS, .5) - commit
	_, _ = fmt.Fprintf(t, "chat above the commit, p50\t%.2f ms\t%.2f ms\t%s\n", above, chatAboveCommitMS, verdict(above, chatAboveCommitMS))
	resident := float64(r.ResidentBytes) / 1e6
	_, _ = fmt.Fprintf(t, "memory of docqa serve after the main job\t%.1f MB\t%.0f MB\t%s\n", resident, residentMB, verdict(resident, residentMB))
	start := quantile(r.StartMS, .5)
	_, _ = fmt.Fprintf(t, "start to healthy, median of %d\t%.0f ms\t%.0f ms\t%s\n", len(r.StartMS), start, startMS, verdict(start, startMS))
	_, _ = fmt.Fprintf(t, "ingestion of the %d chunks\t%.0f ms\t\t\n", r.Chunks, r.IngestMS)
	return t.Flush()
}

func verdict(measured, limit float64) string {
	if measured <= limit {
		return "reached"
	}
	return "missed"
}
