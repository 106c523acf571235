package modelhost

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"docqa/internal/platform/models"
)

// End is how an answer ends, after its fragments.
type End int

// The ends of an answer.
const (
	Whole    End = iota // as the protocol ends an answer, with the tokens used
	Half                // the body ends early
	Reset               // the connection is reset
	Hang                // nothing is sent until the client leaves
	Nonsense            // bytes that match no protocol
	Reported            // the provider reports that it is overloaded
)

// The tokens that a complete answer reports.
const (
	PromptTokens     = 321
	CompletionTokens = 45
)

// Script says what a host does.
type Script struct {
	Refusals   []int // statuses of the first requests; later ones are answered
	RetryAfter string
	Fragments  []string
	Next       []string // the fragments of later answers; nil: the same
	End        End
	Stop       string          // why a complete answer ended, as the protocol says it; default: finished
	Type       string          // content type; default: that of the protocol
	Until      <-chan struct{} // the host waits for this before the end; nil: it does not wait
}

// Request is a request that the host received.
type Request struct {
	Path   string // with its escapes
	Header http.Header
	Body   map[string]any
}

// Host is a running server. Safe for concurrent use.
type Host struct {
	URL  string
	left chan struct{}
	stop func()

	mu       sync.Mutex
	script   Script
	requests []Request
}

// protocol is the protocol of one provider.
type protocol interface {
	contentType() string
	// check returns what the provider would refuse in the request, or "".
	check(r *Request) string
	begin() []byte
	fragment(text string) []byte
	end(stop string) []byte
	reported() []byte
}

// New starts a host that speaks the protocol of provider, one of package models. It stops with
// the test.
func New(t *testing.T, provider string, s Script) *Host {
	t.Helper()
	h := &Host{script: s, left: make(chan struct{}, 64)}
	var p protocol
	switch provider {
	case models.OpenAI:
		p = openai{}
	case models.Anthropic:
		p = anthropic{}
	case models.Bedrock:
		p = bedrock{}
	default:
		t.Fatalf("there is no provider %q", provider)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, p) }))
	t.Cleanup(server.Close)
	h.URL, h.stop = server.URL, server.Close
	return h
}

// Requests returns the requests that were received.
func (h *Host) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Request(nil), h.requests...)
}

// Become sets the script for later requests.
func (h *Host) Become(s Script) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.script = s
}

// Stop stops the server before the test ends.
func (h *Host) Stop() { h.stop() }

// Left gets a value whenever a client has left an answer that hangs.
func (h *Host) Left() <-chan struct{} { return h.left }

// take records a request. It returns the script, and the status if the request is refused.
func (h *Host) take(r Request) (s Script, refusal int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests = append(h.requests, r)
	if len(h.script.Refusals) > 0 {
		refusal, h.script.Refusals = h.script.Refusals[0], h.script.Refusals[1:]
		return h.script, refusal
	}
	s = h.script
	if s.Next != nil {
		h.script.Fragments = s.Next
	}
	return s, 0
}

func (h *Host) serve(w http.ResponseWriter, r *http.Request, p protocol) {
	got := Request{Path: r.URL.EscapedPath(), Header: r.Header}
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &got.Body) != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	s, refusal := h.take(got)
	if what := p.check(&got); what != "" {
		http.Error(w, what, http.StatusBadRequest)
		return
	}
	if refusal != 0 {
		if s.RetryAfter != "" {
			w.Header().Set("Retry-After", s.RetryAfter)
		}
		http.Error(w, `{"error":{"type":"refused"}}`, refusal)
		return
	}
	if s.Type == "" {
		s.Type = p.contentType()
	}
	w.Header().Set("Content-Type", s.Type)
	h.answer(w, r, p, s)
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request, p protocol, s Script) {
	send := func(data []byte) {
		_, _ = w.Write(data)
		_ = http.NewResponseController(w).Flush()
	}
	send(p.begin())
	for _, f := range s.Fragments {
		send(p.fragment(f))
	}
	if s.Until != nil {
		select {
		case <-s.Until:
		case <-r.Context().Done():
		}
	}
	switch s.End {
	case Whole:
		send(p.end(s.Stop))
	case Half:
	case Reset:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
		}
	case Hang:
		select {
		case <-r.Context().Done():
			h.left <- struct{}{}
		case <-time.After(time.Minute):
		}
	case Nonsense:
		send([]byte("data: <html>Bad gateway</html>\n\n"))
	case Reported:
		send(p.reported())
	}
}
