package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"docqa/eval/instance"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

// The figures of P2.
const (
	aboveCommitMS = 2.
	tail          = 3. // p99 over p50
	firstFrameMS  = 2.
)

type ask struct {
	Question string `json:"question"`
}

// chat is P2: the whole of POST /v1/chat without an outside model, beside one durable commit, by words and,
// with a model at hand, by vectors too.
func (b *bench) chat(ctx context.Context) ([]Row, error) {
	rows, err := b.chatOf(ctx, "words", nil)
	if err != nil {
		return rows, err
	}
	if b.opts.Model == "" {
		return append(rows, missing("P2", "POST /v1/chat, hybrid", "a commit and the embedding", "no model is installed")), nil
	}
	embedder, err := embed.Open(ctx, models.Embedding{Kind: models.LocalEmbedding, Folder: b.opts.Model}, embed.Options{})
	if err != nil {
		return rows, err
	}
	more, err := b.chatOf(ctx, "vectors", embedder)
	return append(rows, more...), errors.Join(err, embedder.Close())
}

func (b *bench) chatOf(ctx context.Context, kind string, embedder embed.Embedder) ([]Row, error) {
	h, err := b.open(ctx, kind, instance.Vectors(b.modelFor(embedder))...)
	if err != nil {
		return nil, err
	}
	key, chunks, err := b.project(ctx, h, "Chat", "")
	if err != nil {
		return nil, err
	}
	whole := newCaller(h.url+"/v1/chat", "X-Service-Key", key)
	stream := newCaller(h.url+"/v1/chat/stream", "X-Service-Key", key)
	steps := []step{
		{"SELECT 1", func(ctx context.Context, _ int) (time.Duration, error) {
			var one int
			return 0, h.conn.QueryRow(ctx, "select 1").Scan(&one)
		}},
		{"commit", func(ctx context.Context, i int) (time.Duration, error) {
			_, err := h.conn.Exec(ctx, "insert into floor.commits (note) values ($1)", question(i))
			return 0, err
		}},
		{"chat", func(ctx context.Context, i int) (time.Duration, error) {
			return 0, whole.wants(ctx, ask{Question: question(2 * i)}, `"answer"`)
		}},
		{"first frame", func(ctx context.Context, i int) (time.Duration, error) {
			return b.first(ctx, stream, ask{Question: question(2*i + 1)}, "data:", `"done"`)
		}},
	}
	if embedder != nil {
		steps = append(steps, step{"embedding", func(ctx context.Context, i int) (time.Duration, error) {
			_, err := embedder.Embed(ctx, []string{question(2 * i)})
			return 0, err
		}})
	}
	b.say("asking %d times in turns, %s", b.opts.Rounds, kind)
	took, err := b.rounds(ctx, b.opts.Rounds, steps)
	if err != nil {
		return nil, err
	}
	return chatRows(took, chunks, embedder != nil), nil
}

func (b *bench) modelFor(embedder embed.Embedder) string {
	if embedder == nil {
		return ""
	}
	return absolute(b.opts.Model)
}

func chatRows(took map[string][]float64, chunks int, hybrid bool) []Row {
	how, floor, allowed := "BM25", quantile(took["commit"], .5), firstFrameMS
	if hybrid {
		embedding := quantile(took["embedding"], .5)
		how, floor, allowed = "hybrid", floor+embedding, allowed+embedding
	}
	name := func(what string) string { return fmt.Sprintf("%s, %s, %d chunks", what, how, chunks) }
	p50, p99 := quantile(took["chat"], .5), quantile(took["chat"], .99)
	rows := []Row{
		median("P2", "SELECT 1 through pgx", "ms", took["SELECT 1"]),
		median("P2", "one durable commit through pgx", "ms", took["commit"]),
	}
	if hybrid {
		rows = append(rows, median("P2", "the question's embedding alone", "ms", took["embedding"]))
	}
	return append(rows,
		median("P2", name("POST /v1/chat, p50"), "ms", took["chat"]).beside("commit (and embedding)", floor).atMost(floor+aboveCommitMS),
		figure("P2", name("POST /v1/chat, p99"), "ms", p99).beside("3 × p50", tail*p50).atMost(tail*p50),
		median("P2", name("POST /v1/chat/stream, first frame"), "ms", took["first frame"]).atMost(allowed))
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
