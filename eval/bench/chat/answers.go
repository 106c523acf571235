package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
	"docqa/eval/instance"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

// The targets of P2.
const (
	maxAboveCommitMS = 2.
	maxTailRatio     = 3. // p99 divided by p50
	maxFirstLineMS   = 2.
)

// Answers is P2: the time of a whole POST /v1/chat without an outside model, compared with one durable commit. It is measured with
// keyword search and, if a model is installed, with hybrid search.
func Answers(ctx context.Context, h *harness.Harness) ([]report.Row, error) {
	rows, err := answersWith(ctx, h, nil)
	if err != nil {
		return rows, err
	}
	if h.Model == "" {
		return append(rows, report.Missing("P2", "POST /v1/chat, hybrid", "a commit and the embedding", "no model is installed")), nil
	}
	embedder, err := embed.Open(ctx, models.Embedding{Kind: models.LocalEmbedding, Folder: h.Model}, embed.Options{})
	if err != nil {
		return rows, err
	}
	more, err := answersWith(ctx, h, embedder)
	return append(rows, more...), errors.Join(err, embedder.Close())
}

// answersWith measures chats. embedder is the model that the service uses, too; nil means keyword search.
func answersWith(ctx context.Context, h *harness.Harness, embedder embed.Embedder) ([]report.Row, error) {
	kind, model := "keywords", ""
	if embedder != nil {
		kind, model = "vectors", harness.Absolute(h.Model)
	}
	s, err := h.Open(ctx, kind, instance.Vectors(model)...)
	if err != nil {
		return nil, err
	}
	project, err := h.NewProject(ctx, s, "Chat", "")
	if err != nil {
		return nil, err
	}
	whole, stream := s.Chat(project.Key), s.ChatStream(project.Key)
	steps := []harness.Step{
		harness.SelectOne(s),
		{Name: "commit", Do: func(ctx context.Context, i int) (time.Duration, error) {
			_, err := s.Conn.Exec(ctx, "insert into floor.commits (note) values ($1)", harness.Question(i))
			return 0, err
		}},
		{Name: "chat", Do: func(ctx context.Context, i int) (time.Duration, error) {
			return 0, whole.Expect(ctx, harness.ChatQuestion{Question: harness.Question(2 * i)}, `"answer"`)
		}},
		{Name: "first line", Do: func(ctx context.Context, i int) (time.Duration, error) {
			return h.FirstLine(ctx, stream, harness.ChatQuestion{Question: harness.Question(2*i + 1)}, harness.Marks{First: "data:", Last: `"done"`})
		}},
	}
	if embedder != nil {
		steps = append(steps, harness.Step{Name: "embedding", Do: func(ctx context.Context, i int) (time.Duration, error) {
			_, err := embedder.Embed(ctx, []string{harness.Question(2 * i)})
			return 0, err
		}})
	}
	h.Progress("asking %d questions in turns, by %s", h.Rounds, kind)
	took, err := h.InTurns(ctx, h.Rounds, steps)
	if err != nil {
		return nil, err
	}
	return answerRows(took, project.Chunks, embedder != nil), nil
}

func answerRows(took map[string][]float64, chunks int, hybrid bool) []report.Row {
	how, floor, allowed := "BM25", report.Quantile(took["commit"], .5), maxFirstLineMS
	if hybrid {
		embedding := report.Quantile(took["embedding"], .5)
		how, floor, allowed = "hybrid", floor+embedding, allowed+embedding
	}
	name := func(what string) string { return fmt.Sprintf("%s, %s, %d chunks", what, how, chunks) }
	p50, p99 := report.Quantile(took["chat"], .5), report.Quantile(took["chat"], .99)
	rows := []report.Row{
		report.Median("P2", "SELECT 1 through pgx", "ms", took["SELECT 1"]),
		report.Median("P2", "one durable commit through pgx", "ms", took["commit"]),
	}
	if hybrid {
		rows = append(rows, report.Median("P2", "the embedding of the question", "ms", took["embedding"]))
	}
	return append(rows,
		report.Median("P2", name("POST /v1/chat, p50"), "ms", took["chat"]).ComparedWith("commit (and embedding)", floor).AtMost(floor+maxAboveCommitMS),
		report.Figure("P2", name("POST /v1/chat, p99"), "ms", p99).ComparedWith("3 × p50", maxTailRatio*p50).AtMost(maxTailRatio*p50),
		report.Median("P2", name("POST /v1/chat/stream, first frame"), "ms", took["first line"]).AtMost(allowed))
}
