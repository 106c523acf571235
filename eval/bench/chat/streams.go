package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
	"docqa/eval/bench/report"
)

// The targets of P3.
const (
	maxAddedDelayUS   = 100.
	maxStreamKB       = 40.
	streamsPerProject = 100 // a plan allows a project so many at once
)

// readings are what the readers of many streams received.
type readings struct {
	mu       sync.Mutex
	delays   []float64 // from the sending of a word to its arrival, in microseconds
	received int
	dropped  int
	errs     []error // the first few
}

// load is a number of streams that are read at the same time.
type load struct {
	h     *harness.Harness
	words int // of each stream
	// request returns where stream i is asked for and by what body.
	request func(i int) (*harness.Caller, any)
}

// Streams is P3: many slow answers at once, compared with the same streams from the model's server directly.
func Streams(ctx context.Context, h *harness.Harness) (rows []report.Row, err error) {
	words := h.Seconds * int(time.Second/modelserver.Pace)
	in, err := install(ctx, h, "streams", words)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close(ctx)) }()
	var callers []*harness.Caller
	for i := range (h.Streams + streamsPerProject - 1) / streamsPerProject {
		project, err := h.NewProject(ctx, in.Server, fmt.Sprintf("Streams %d", i+1), "paced")
		if err != nil {
			return nil, err
		}
		callers = append(callers, in.ChatStream(project.Key))
	}
	caller, body := in.direct(), prompt(fmt.Sprintf("paced-%d", words), true)
	direct := load{h: h, words: words, request: func(int) (*harness.Caller, any) { return caller, body }}
	service := load{h: h, words: words, request: func(i int) (*harness.Caller, any) {
		return callers[i/streamsPerProject], harness.ChatQuestion{Question: harness.Question(i)}
	}}
	var directly, through readings
	h.Progress("reading %d streams from the model's server directly", h.Streams)
	direct.read(ctx, &directly)
	h.Progress("reading %d streams from the service", h.Streams)
	streamKB, err := in.memoryOf(func() { service.read(ctx, &through) })
	if err != nil {
		return nil, err
	}
	h.Progress("reading %d streams from the model's server directly again", h.Streams)
	direct.read(ctx, &directly)
	for _, e := range append(directly.errs, through.errs...) {
		h.Progress("P3: %v", e)
	}
	return streamRows(&directly, &through, h.Streams, streamKB), nil
}

// memoryOf returns how much memory of the service one stream takes, in KB: what the service holds in the middle of read, above what
// it held before.
func (in *installation) memoryOf(read func()) (float64, error) {
	before, err := in.ResidentBytes()
	if err != nil {
		return 0, err
	}
	during := make(chan float64, 1)
	timer := time.AfterFunc(time.Duration(in.h.Seconds)*time.Second/2, func() {
		bytes, _ := in.ResidentBytes()
		during <- bytes
	})
	read()
	if timer.Stop() {
		return 0, errors.New("the streams ended before the memory was measured")
	}
	return (<-during - before) / 1e3 / float64(in.h.Streams), nil
}

func streamRows(directly, through *readings, streams int, streamKB float64) []report.Row {
	name := func(what string) string { return fmt.Sprintf("%s, %d streams × 20 words/s", what, streams) }
	added := report.Quantile(through.delays, .5) - report.Quantile(directly.delays, .5)
	return []report.Row{
		report.Figure("P3", name("words dropped, of "+strconv.Itoa(through.received+through.dropped)), "words", float64(through.dropped)).
			ComparedWith("directly", float64(directly.dropped)).AtMost(0),
		report.Figure("P3", name("added delay of a word, p50"), "µs", added).ComparedWith("directly in all", report.Quantile(directly.delays, .5)).AtMost(maxAddedDelayUS),
		report.Figure("P3", name("delay of a word, p99"), "µs", report.Quantile(through.delays, .99)).ComparedWith("directly", report.Quantile(directly.delays, .99)),
		report.Figure("P3", name("memory of a stream"), "KB", streamKB).AtMost(maxStreamKB),
	}
}

// read reads all streams at once and adds what arrived to into.
func (l *load) read(ctx context.Context, into *readings) {
	var all sync.WaitGroup
	spread := time.Duration(l.h.Streams) * time.Millisecond // connections are opened one after the other: their number at once is not measured
	for i := range l.h.Streams {
		all.Go(func() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(spread * time.Duration(i) / time.Duration(l.h.Streams)):
			}
			received, delays, err := l.readOne(ctx, i)
			into.mu.Lock()
			defer into.mu.Unlock()
			into.received += received
			into.dropped += max(l.words-received, 0)
			into.delays = append(into.delays, delays...)
			if err != nil && len(into.errs) < 5 {
				into.errs = append(into.errs, err)
			}
		})
	}
	all.Wait()
}

// readOne reads stream i. It returns how many words with a time arrived, and their delays in microseconds.
func (l *load) readOne(ctx context.Context, i int) (received int, delays []float64, err error) {
	c, body := l.request(i)
	resp, err := c.Send(ctx, body)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	for line, err := range harness.Lines(resp.Body) {
		if err != nil {
			return received, delays, err
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		now := l.h.Clock.Now().UnixNano()
		for word := range strings.FieldsSeq(textOf(data)) {
			if sent, err := strconv.ParseInt(word, 10, 64); err == nil && len(word) > 15 {
				received++
				delays = append(delays, float64(now-sent)/1e3)
			}
		}
	}
	return received, delays, nil
}

// textOf returns the text of an event, of the service or of the model's server.
func textOf(data string) string {
	var event struct {
		Text    string `json:"text"`
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
		} `json:"choices"`
	}
	if json.Unmarshal([]byte(data), &event) != nil {
		return ""
	}
	if len(event.Choices) > 0 {
		return event.Choices[0].Delta.Content
	}
	return event.Text
}
