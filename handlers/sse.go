package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/panics"
)

const (
	// pingAfter is the silence after which a comment line says that the stream is alive.
	pingAfter = 15 * time.Second
	// frameTime is how long a reader may take over one frame before it counts as gone.
	frameTime = 30 * time.Second
)

// Alarm calls its function once, later. *time.Timer is one.
type Alarm interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// frames writes Server-Sent Events: a data line for each frame, below an id line where
// the frame has an id, and a comment line after every silence. A reader that has left is no error: what comes
// then is dropped. Safe for concurrent use.
//
// Source: docs/decisions.md#streams.
type frames struct {
	w       http.ResponseWriter
	control *http.ResponseController
	after   func(d time.Duration, f func()) Alarm
	failure func(e *apperr.Error) (id string, frame any) // the frame of an error

	mu      sync.Mutex
	silence Alarm // rings when it is time for a ping; nil before the first frame
	stuck   Alarm // rings when a frame takes too long
	gone    bool  // the reader has left, or the stream has ended
	cut     bool  // it ended because the process stops
}

// newFrames returns the frames of an answer to w. after sets the alarms, nil:
// time.AfterFunc; failure makes the last frame of a stream that failed.
func newFrames(w http.ResponseWriter, after func(d time.Duration, f func()) Alarm, failure func(e *apperr.Error) (string, any)) *frames {
	if after == nil {
		after = func(d time.Duration, f func()) Alarm { return time.AfterFunc(d, f) }
	}
	return &frames{w: w, control: http.NewResponseController(w), after: after, failure: failure}
}

// send writes v as one frame, without an id line where id is empty.
func (f *frames) send(id string, v any) {
	f.line(id, encode(v))
}

func encode(v any) []byte {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a frame of ours that is no JSON: the recovery says so to the reader
	}
	return bytes.TrimRight(data.Bytes(), "\n")
}

// line writes data as one frame; the first one begins the answer.
func (f *frames) line(id string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open()
	f.frame(id, data)
}

// frame writes data as one frame of an answer that has begun.
func (f *frames) frame(id string, data []byte) {
	var frame bytes.Buffer
	if id != "" {
		frame.WriteString("id: " + id + "\n")
	}
	frame.WriteString("data: ")
	frame.Write(data)
	frame.WriteString("\n\n")
	f.write(frame.Bytes())
}

// start begins the answer before there is a frame: the reader knows that it is heard.
func (f *frames) start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open()
	if err := f.control.Flush(); err != nil {
		f.gone = true
	}
}

func (f *frames) open() {
	if f.silence == nil {
		f.begin()
	}
}

func (f *frames) begin() {
	h := f.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	f.w.WriteHeader(http.StatusOK)
	// A server's deadline for whole answers must not cut a stream. Not every writer knows deadlines.
	_ = f.control.SetWriteDeadline(time.Time{})
	f.silence = f.after(pingAfter, f.ping)
	f.stuck = f.after(frameTime, f.letGo)
}

func (f *frames) ping() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.write([]byte(": ping\n\n"))
}

// write sends bytes at once and begins the next silence.
func (f *frames) write(p []byte) {
	if f.gone {
		return
	}
	f.stuck.Reset(frameTime)
	defer f.stuck.Stop()
	if _, err := f.w.Write(p); err != nil {
		f.gone = true
		return
	}
	if err := f.control.Flush(); err != nil {
		f.gone = true
		return
	}
	f.silence.Reset(pingAfter)
}

// letGo ends a write that waits for a reader that stopped reading.
func (f *frames) letGo() { _ = f.control.SetWriteDeadline(time.Unix(1, 0)) }

// run has f write the frames of one answer and closes the stream. What fails before the
// first frame is returned for the ordinary answer; what fails after it, a panic
// included, is the last frame.
//
// A process that is being stopped ends ctx with its cause: the reader is told at once, and
// the answer goes on as if the reader had left.
func (f *frames) run(ctx context.Context, write func() error) error {
	defer context.AfterFunc(ctx, func() { f.cutShort(ctx) })()
	return f.end(ctx, panics.Catch(write))
}

// cutShort writes the last frame of a stream that has begun in a process that stops.
func (f *frames) cutShort(ctx context.Context) {
	e, ok := stopped(ctx)
	if !ok {
		return // the reader has left
	}
	id, frame := f.failure(e)
	data := encode(frame)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.silence != nil && !f.gone {
		f.frame(id, data)
		f.gone, f.cut = true, true
	}
}

// end closes the stream. An error after the first frame becomes the last one; before
// it, it is returned for the ordinary answer. Nothing is written afterwards.
func (f *frames) end(ctx context.Context, err error) error {
	begun := f.begun()
	if begun && err != nil {
		e, _ := infoFrom(ctx).classifier.answer(ctx, err)
		f.send(f.failure(e))
		err = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone = true
	if f.cut {
		infoFrom(ctx).code = shuttingDown
	}
	if begun {
		f.silence.Stop()
		f.stuck.Stop()
	}
	return err
}

func (f *frames) begun() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.silence != nil
}
