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
	// pingAfter is how long a stream may be silent before it sends a comment line, so that
	// proxies and readers see that it is alive.
	pingAfter = 15 * time.Second
	// frameTime is how long a reader may take to receive one frame. A reader that takes
	// longer counts as gone.
	frameTime = 30 * time.Second
)

// alarm calls its function once, later. *time.Timer is one.
type alarm interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// Stream writes Server-Sent Events: for each frame a data line, after an id line if the
// frame has an id. It writes a comment line whenever it was silent for pingAfter. A reader
// that has left is no error: later frames are dropped. Safe for concurrent use.
//
// Source: docs/decisions.md#streams.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	after   func(d time.Duration, f func()) alarm        // time.AfterFunc
	failure func(e *apperr.Error) (id string, frame any) // makes the frame of an error

	mu      sync.Mutex
	silence alarm // calls ping; nil before the first frame
	stuck   alarm // calls abortWrite when a frame takes too long
	gone    bool  // the reader has left, or the stream has ended
	cut     bool  // the stream ended because the process stops
}

// NewStream returns a stream that writes to w. failure makes the last frame of a stream
// that failed.
func NewStream(w http.ResponseWriter, failure func(e *apperr.Error) (id string, frame any)) *Stream {
	after := func(d time.Duration, f func()) alarm { return time.AfterFunc(d, f) }
	return &Stream{w: w, control: http.NewResponseController(w), after: after, failure: failure}
}

// Send writes v as one frame. An empty id writes no id line.
func (f *Stream) Send(id string, v any) {
	f.Line(id, encode(v))
}

func encode(v any) []byte {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a bug: our frames can be encoded. Run writes the panic as an error frame
	}
	return bytes.TrimRight(data.Bytes(), "\n")
}

// Line writes data, which is JSON, as one frame. The first frame begins the answer.
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

// Start sends the header before there is a frame, so that the reader knows that the
// request was accepted.
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
	// The server's deadline for whole answers must not end a stream. The error is ignored:
	// some writers, as in tests, have no deadlines.
	_ = f.control.SetWriteDeadline(time.Time{})
	f.silence = f.after(pingAfter, f.ping)
	f.stuck = f.after(frameTime, f.abortWrite)
}

func (f *Stream) ping() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.write([]byte(": ping\n\n"))
}

// write sends p at once and restarts the time until the next ping.
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

// abortWrite ends a write that waits because the reader no longer reads.
func (f *Stream) abortWrite() { _ = f.control.SetWriteDeadline(time.Unix(1, 0)) }

// Run calls write, which writes the frames of one answer, and closes the stream. An error
// or panic of write before the first frame is returned, so that the caller can answer it as
// JSON; after the first frame, Run writes it as the last frame and returns nil.
//
// A process that stops ends ctx with a cause. Run then writes the error frame at once, and
// write goes on as if the reader had left.
func (f *Stream) Run(ctx context.Context, write func() error) error {
	defer context.AfterFunc(ctx, func() { f.cutShort(ctx) })()
	return f.end(ctx, panics.Catch(write))
}

// cutShort writes the error frame to a stream that has begun, because the process stops.
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

// end closes the stream; nothing is written afterwards. If the stream has begun, err
// becomes its last frame; else end returns err.
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

// ErrorFrame is the frame of an error in the streams of the main and the retrieval API.
type ErrorFrame struct {
	Type  string `json:"type"`
	Error string `json:"error"`
	Code  string `json:"code"`
}

// NewErrorFrame converts e to a frame.
func NewErrorFrame(e *apperr.Error) ErrorFrame {
	return ErrorFrame{Type: "error", Error: e.Message, Code: string(e.Code)}
}
