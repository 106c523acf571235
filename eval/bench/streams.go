package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"docqa/eval/instance"
)

// The figures of P3.
const (
	addedChunkUS  = 100.
	streamKB      = 40.
	streamProject = 100 // streams of one project; plans bound them
)

// listened is what the readers of many streams heard.
type listened struct {
	mu      sync.Mutex
	delays  []float64 // of words, in microseconds
	heard   int
	dropped int
	errs    []error
}

// streams is P3: many slow answers at once, beside the same from the model's server directly.
func (b *bench) streams(ctx context.Context) (rows []Row, err error) {
	up, base, err := b.upstream(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = up.stop() }()
	folder, err := os.MkdirTemp("", "docqa-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	words := b.opts.Seconds * int(time.Second/pace)
	setting, err := catalog(folder, base, words)
	if err != nil {
		return nil, err
	}
	h, err := b.open(ctx, "streams", append(instance.Vectors(""), setting)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.close(ctx, "streams") }()
	var callers []*caller
	for i := range (b.opts.Streams + streamProject - 1) / streamProject {
		key, _, err := b.project(ctx, h, fmt.Sprintf("Streams %d", i+1), "paced")
		if err != nil {
			return nil, err
		}
		callers = append(callers, newCaller(h.url+"/v1/chat/stream", "X-Service-Key", key))
	}
	direct := newCaller(base + "/chat/completions")
	var straight, through listened
	var before, during float64
	for round := range 3 { // directly, through the service, directly
		if round != 1 {
			b.say("%d streams of the model's server directly", b.opts.Streams)
			body := prompt(true)
			body["model"] = fmt.Sprintf("paced-%d", words)
			b.listen(ctx, words, &straight, func(int) (*caller, any) { return direct, body })
			continue
		}
		if before, err = h.resident(); err != nil {
			return nil, err
		}
		b.say("%d streams through the service", b.opts.Streams)
		half := time.AfterFunc(time.Duration(b.opts.Seconds)*time.Second/2, func() { during, _ = h.resident() })
		b.listen(ctx, words, &through, func(i int) (*caller, any) { return callers[i/streamProject], ask{Question: question(i)} })
		half.Stop()
	}
	for _, e := range append(straight.errs, through.errs...) {
		b.say("P3: %v", e)
	}
	name := func(what string) string { return fmt.Sprintf("%s, %d streams × 20 words/s", what, b.opts.Streams) }
	added := quantile(through.delays, .5) - quantile(straight.delays, .5)
	return []Row{
		figure("P3", name("words dropped, of "+strconv.Itoa(through.heard+through.dropped)), "words", float64(through.dropped)).
			beside("directly", float64(straight.dropped)).atMost(0),
		figure("P3", name("added delay of a word, p50"), "µs", added).beside("directly in all", quantile(straight.delays, .5)).atMost(addedChunkUS),
		figure("P3", name("delay of a word, p99"), "µs", quantile(through.delays, .99)).beside("directly", quantile(straight.delays, .99)),
		figure("P3", name("memory of a stream"), "KB", (during-before)/1e3/float64(b.opts.Streams)).atMost(streamKB),
	}, nil
}

// listen reads all streams at once.
func (b *bench) listen(ctx context.Context, words int, into *listened, from func(i int) (*caller, any)) {
	var all sync.WaitGroup
	spread := time.Duration(b.opts.Streams) * time.Millisecond // a thousand new connections at once are another test
	for i := range b.opts.Streams {
		all.Go(func() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(spread * time.Duration(i) / time.Duration(b.opts.Streams)):
			}
			c, body := from(i)
			heard, delays, err := b.hear(ctx, c, body)
			into.mu.Lock()
			defer into.mu.Unlock()
			into.heard += heard
			into.dropped += max(words-heard, 0)
			into.delays = append(into.delays, delays...)
			if err != nil && len(into.errs) < 5 {
				into.errs = append(into.errs, err)
			}
		})
	}
	all.Wait()
}

// hear reads one stream, and returns how many timed words came and how long after they were said, in microseconds.
func (b *bench) hear(ctx context.Context, c *caller, body any) (heard int, delays []float64, err error) {
	resp, err := c.send(ctx, body)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	for line, err := range lines(resp.Body) {
		if err != nil {
			return heard, delays, err
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		now := b.opts.Clock.Now().UnixNano()
		for word := range strings.FieldsSeq(textOf(data)) {
			if said, err := strconv.ParseInt(word, 10, 64); err == nil && len(word) > 15 {
				heard++
				delays = append(delays, float64(now-said)/1e3)
			}
		}
	}
	return heard, delays, nil
}

// textOf is the text of a frame of the service, or of the model's server.
func textOf(data string) string {
	var frame struct {
		Text    string `json:"text"`
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal([]byte(data), &frame) != nil {
		return ""
	}
	if len(frame.Choices) > 0 {
		return frame.Choices[0].Delta.Content
	}
	return frame.Text
}
