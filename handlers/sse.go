package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
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

// frames writes Server-Sent Events: an id line and a data line for each frame, and a
// comment line after every silence. A reader that has left is no error: what comes
// then is dropped. Safe for concurrent use.
//
// Source: gaps section 3 (POST /v1/chat/stream).
type frames struct {
	w       http.ResponseWriter
	control *http.ResponseController
	after   func(d time.Duration, f func()) Alarm

	mu      sync.Mutex
	silence Alarm // rings when it is time for a ping; nil before the first frame
	stuck   Alarm // rings when a frame takes too long
	sent    int
	gone    bool // the reader has left, or the stream has ended
}

func newFrames(w http.ResponseWriter, after func(d time.Duration, f func()) Alarm) *frames {
	if after == nil {
		after = func(d time.Duration, f func()) Alarm { return time.AfterFunc(d, f) }
	}
	return &frames{w: w, control: http.NewResponseController(w), after: after}
}

// send writes one frame; the first one begins the answer.
func (f *frames) send(v any) {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a frame of ours that is no JSON: the recovery says so to the reader
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.silence == nil {
		f.begin()
	}
	f.sent++
	var frame bytes.Buffer
	frame.WriteString("id: " + strconv.Itoa(f.sent) + "\ndata: ")
	frame.Write(bytes.TrimRight(data.Bytes(), "\n"))
	frame.WriteString("\n\n")
	f.write(frame.Bytes())
}

func (f *frames) begin() {
	h := f.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
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

// end closes the stream. An error after the first frame becomes the last one; before
// it, it is returned for the ordinary answer. Nothing is written afterwards.
func (f *frames) end(ctx context.Context, err error) error {
	begun := f.begun()
	if begun && err != nil {
		e, _ := classifier{}.answer(ctx, err)
		f.send(errorFrame{Type: "error", Error: e.Message, Code: e.Code})
		err = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone = true
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
