package benchmark

import (
	"context"
	"errors"
	"fmt"
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
)

const warmUp = 20

// errFirstFrame ends a stream whose first frame is all that was wanted.
var errFirstFrame = errors.New("the first frame has come")

// rounds measures the floor and the chat in turns.
func (b *bench) rounds(ctx context.Context, chat *apiclient.Client, report *Report) error {
	b.say("asking %d times, in turns with a commit and SELECT 1", b.opts.Rounds)
	steps := []struct {
		into *[]float64
		do   func(i int) error
	}{
		{&report.SelectMS, func(int) error { return b.selectOne(ctx) }},
		{&report.CommitMS, func(i int) error { return b.commit(ctx, i) }},
		{&report.ChatMS, func(i int) error { return ask(ctx, chat, i) }},
		{&report.FirstFrameMS, func(i int) error { return firstFrame(ctx, chat, i) }},
	}
	for i := range warmUp + b.opts.Rounds {
		for _, step := range steps {
			began := b.opts.Clock.Now()
			if err := step.do(i); err != nil {
				return err
			}
			if took := b.opts.Clock.Now().Sub(began); i >= warmUp {
				*step.into = append(*step.into, milliseconds(took))
			}
		}
	}
	return nil
}

func (b *bench) selectOne(ctx context.Context) error {
	var one int
	return b.conn.QueryRow(ctx, "select 1").Scan(&one)
}

// commit writes one row and returns when it is durable.
func (b *bench) commit(ctx context.Context, i int) error {
	_, err := b.conn.Exec(ctx, "insert into floor.commits (note) values ($1)", question(i))
	return err
}

func ask(ctx context.Context, chat *apiclient.Client, i int) error {
	if _, err := chat.Chat(ctx, &mainapi.ChatRequest{Question: question(i)}); err != nil {
		return fmt.Errorf("ask: %w", apiclient.Explain(err))
	}
	return nil
}

// firstFrame asks by the stream and leaves with its first frame.
func firstFrame(ctx context.Context, chat *apiclient.Client, i int) error {
	err := chat.AskStream(ctx, &mainapi.ChatRequest{Question: question(i)}, func(apiclient.Event) error { return errFirstFrame })
	if errors.Is(err, errFirstFrame) {
		return nil
	}
	return fmt.Errorf("ask by stream: %w", err)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
