// Package modelserver is an HTTP server that speaks the protocol of OpenAI: it always gives the same answer, and makes up the
// vectors of texts.
//
// It measures nothing. Its invariant: the same text has the same vector, in this process and over HTTP.
package modelserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answerText is what the model always says. It cites the first passage at its beginning, so that the service need not hold text
// back until it has seen a citation.
const answerText = "The quick [1] brown fox jumps over the lazy dog and then rests under the tall tree by the river"

// Pace is the time between two words of a slow answer.
const Pace = 50 * time.Millisecond

// Handler answers chat completions and embeddings. A model named paced-<n> streams n words, twenty a second, each of which is the
// time at which it was sent, in nanoseconds.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", completions)
	mux.HandleFunc("POST /v1/embeddings", embeddings)
	return mux
}

func completions(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model  string `json:"model"`
		Stream bool   `json:"stream"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "the body is not JSON", http.StatusBadRequest)
		return
	}
	if !request.Stream {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"id":"c1","object":"chat.completion","created":1,"model":%q,"choices":[{"index":0,"finish_reason":"stop","message":`+
			`{"role":"assistant","content":%q}}],"usage":{"prompt_tokens":20,"completion_tokens":19,"total_tokens":39}}`, request.Model, answerText)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s := &stream{w: w, flush: http.NewResponseController(w)}
	s.event(`{"role":"assistant","content":""}`, "null")
	if words, paced := strings.CutPrefix(request.Model, "paced-"); paced {
		s.paced(r, words)
	} else {
		for word := range strings.FieldsSeq(answerText) {
			s.event(fmt.Sprintf(`{"content":%q}`, word+" "), "null")
		}
	}
	s.event("{}", `"stop"`)
	s.write("data: [DONE]\n\n")
}

// embeddings answers with a made-up vector for each text.
func embeddings(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Input []string `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "the body is not JSON", http.StatusBadRequest)
		return
	}
	type embedding struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	list := make([]embedding, len(request.Input))
	for i, text := range request.Input {
		list[i] = embedding{"embedding", i, Vector(text)}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": EmbeddingModel, "data": list})
}

// stream writes a streamed completion.
type stream struct {
	w     http.ResponseWriter
	flush *http.ResponseController
}

func (s *stream) event(delta, finish string) {
	s.write(fmt.Sprintf(`data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish))
}

func (s *stream) write(text string) {
	_, _ = s.w.Write([]byte(text))
	_ = s.flush.Flush()
}

// paced writes n words, each of which is the time at which it is sent.
func (s *stream) paced(r *http.Request, n string) {
	count, _ := strconv.Atoi(n)
	s.event(`{"content":"See [1] "}`, "null")
	tick := time.NewTicker(Pace)
	defer tick.Stop()
	for range count {
		select {
		case <-r.Context().Done():
			return
		case now := <-tick.C:
			s.event(`{"content":"`+strconv.FormatInt(now.UnixNano(), 10)+` "}`, "null")
		}
	}
}
