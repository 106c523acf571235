package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// upstreamText is what the model's server always says: it cites the first passage at once, so that nothing
// is held back for the citation.
const upstreamText = "The quick [1] brown fox jumps over the lazy dog and then rests under the tall tree by the river"

// pace is the time between two words of a slow answer.
const pace = 50 * time.Millisecond

// Upstream is a model's server that speaks OpenAI's chat completions and always says the same. A model named
// paced-<n> says n words, each with the time in nanoseconds, twenty a second.
func Upstream() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Model  string `json:"model"`
			Stream bool   `json:"stream"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		if !asked.Stream {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"id":"c1","object":"chat.completion","created":1,"model":%q,"choices":[{"index":0,"finish_reason":"stop","message":`+
				`{"role":"assistant","content":%q}}],"usage":{"prompt_tokens":20,"completion_tokens":19,"total_tokens":39}}`, asked.Model, upstreamText)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		s := &said{w: w, flush: http.NewResponseController(w)}
		s.event(`{"role":"assistant","content":""}`, "null")
		if words, paced := strings.CutPrefix(asked.Model, "paced-"); paced {
			s.paced(r, words)
		} else {
			for word := range strings.FieldsSeq(upstreamText) {
				s.event(fmt.Sprintf(`{"content":%q}`, word+" "), "null")
			}
		}
		s.event("{}", `"stop"`)
		s.write("data: [DONE]\n\n")
	})
	mux.HandleFunc("POST /v1/embeddings", embeddings)
	return mux
}

// embeddings answers made-up vectors, each a direction of its text alone.
func embeddings(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Input []string `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	type one struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	list := make([]one, len(asked.Input))
	for i, text := range asked.Input {
		list[i] = one{"embedding", i, vectorOf(text)}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": stockModel, "data": list})
}

// said is a streamed answer.
type said struct {
	w     http.ResponseWriter
	flush *http.ResponseController
}

func (s *said) event(delta, finish string) {
	s.write(fmt.Sprintf(`data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", delta, finish))
}

func (s *said) write(text string) {
	_, _ = s.w.Write([]byte(text))
	_ = s.flush.Flush()
}

// paced says n words, each of them the time at which it leaves.
func (s *said) paced(r *http.Request, n string) {
	count, _ := strconv.Atoi(n)
	s.event(`{"content":"See [1] "}`, "null")
	tick := time.NewTicker(pace)
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
