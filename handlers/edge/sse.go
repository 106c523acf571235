package edge

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
	// frameTime is how long a reader may take to receive one frame before it counts as gone.
	frameTime = 30 * time.Second
)

// alarm calls its function once, later. *time.Timer is one.
type alarm interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// Stream writes Server-Sent Events: a data line for each frame, below an id line where
// the frame has an id, and a comment line after every silence. A reader that has left is no error: what comes
// then is dropped. Safe for concurrent use.
//
// Source: docs/decisions.md#streams.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	after   func(d time.Duration, f func()) alarm        // time.AfterFunc
	failure func(e *apperr.Error) (id string, frame any) // the frame of an error

	mu      sync.Mutex
	silence alarm // rings when it is time for a ping; nil before the first frame
	stuck   alarm // rings when a frame takes too long
	gone    bool  // the reader has left, or the stream has ended
	cut     bool  // it ended because the process stops
}

// NewStream returns the frames of an answer to w. failure makes the last frame of a
// stream that failed.
func NewStream(w http.ResponseWriter, failure func(e *apperr.Error) (id string, frame any)) *Stream {
	after := func(d time.Duration, f func()) alarm { return time.AfterFunc(d, f) }
	return &Stream{w: w, control: http.NewResponseController(w), after: after, failure: failure}
}

// Send writes v as one frame, without an id line where id is empty.
func (f *Stream) Send(id string, v any) {
	f.Line(id, encode(v))
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

// Line writes data as one frame; the first one begins the answer.
func (f *Stream) Line(id string, data []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open()
	f.frame(id, data)
}

// frame writes data as one frame of an answer that has begun.
func (f *Stream) frame(id string, data []byte) {
	var frame bytes.Buffer
	if id != "" {
		frame.WriteString("id: " + id + "\n")
	}
	frame.WriteString("data: ")
	frame.Write(data)
	frame.WriteString("\n\n")
	f.write(frame.Bytes())
}

// Start begins the answer before there is a frame: the reader knows that it is heard.
func (f *Stream) Start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open()
	if err := f.control.Flush(); err != nil {
		f.gone = true
	}
}

func (f *Stream) open() {
	if f.silence == nil {
		f.begin()
	}
}

func (f *Stream) begin() {
	h := f.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	f.w.WriteHeader(http.StatusOK)
	// A server's deadline for whole answers must not cut a stream. Not every writer knows deadlines.
	_ = f.control.SetWriteDeadline(time.Time{})
	f.silence = f.after(pingAfter, f.ping)
	f.stuck = f.after(frameTime, f.abortWrite)
}

func (f *Stream) ping() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.write([]byte(": ping\n\n"))
}

// write sends bytes at once and begins the next silence.
func (f *Stream) write(p []byte) {
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

// abortWrite ends a write that waits for a reader that stopped reading.
func (f *Stream) abortWrite() { _ = f.control.SetWriteDeadline(time.Unix(1, 0)) }

// Run has f write the frames of one answer and closes the stream. What fails before the
// first frame is returned for the ordinary answer; what fails after it, a panic
// included, is the last frame.
//
// A process that is being stopped ends ctx with its cause: the reader is told at once, and
// the answer goes on as if the reader had left.
func (f *Stream) Run(ctx context.Context, write func() error) error {
	defer context.AfterFunc(ctx, func() { f.cutShort(ctx) })()
	return f.end(ctx, panics.Catch(write))
}

// cutShort writes the last frame of a stream that has begun in a process that stops.
func (f *Stream) cutShort(ctx context.Context) {
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
func (f *Stream) end(ctx context.Context, err error) error {
	begun := f.begun()
	if begun && err != nil {
		e, _ := infoFrom(ctx).classifier.Answer(ctx, err)
		f.Send(f.failure(e))
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

func (f *Stream) begun() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.silence != nil
}

// ErrorFrame is the frame of an error in a stream of ours.
type ErrorFrame struct {
	Type  string `json:"type"`
	Error string `json:"error"`
	Code  string `json:"code"`
}

// NewErrorFrame shows e as a frame.
func NewErrorFrame(e *apperr.Error) ErrorFrame {
	return ErrorFrame{Type: "error", Error: e.Message, Code: string(e.Code)}
}
