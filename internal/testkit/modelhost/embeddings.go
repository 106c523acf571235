package modelhost

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// Dimensions is the length of the vectors that an embeddings host returns.
const Dimensions = 64

// The protocols of embeddings that a host speaks.
const (
	EmbeddingsOpenAI = "openai" // POST /v1/embeddings
	EmbeddingsTitan  = "titan"  // InvokeModel of Amazon's models
	EmbeddingsCohere = "cohere" // InvokeModel of Cohere's models
)

// NewEmbeddings starts a host of embedding models; it stops with the test. Texts that share
// words have similar vectors. Of a script it uses only the refusals and the ends Hang and
// Nonsense.
func NewEmbeddings(t *testing.T, protocol string) *Host {
	t.Helper()
	h := &Host{left: make(chan struct{}, 64)}
	speak, ok := map[string]func(*Request) any{EmbeddingsOpenAI: openaiVectors, EmbeddingsTitan: titanVector, EmbeddingsCohere: cohereVectors}[protocol]
	if !ok {
		t.Fatalf("there is no protocol %q", protocol)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.embed(w, r, speak) }))
	t.Cleanup(server.Close)
	h.URL, h.stop = server.URL, server.Close
	return h
}

// embed answers one request. speak returns nil if the provider would refuse it.
func (h *Host) embed(w http.ResponseWriter, r *http.Request, speak func(*Request) any) {
	got := Request{Path: r.URL.EscapedPath(), Header: r.Header}
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &got.Body) != nil {
		http.Error(w, `{"message":"no JSON"}`, http.StatusBadRequest)
		return
	}
	s, refusal := h.take(got)
	answer := speak(&got)
	switch {
	case answer == nil:
		refusal = http.StatusBadRequest
	case s.RetryAfter != "":
		w.Header().Set("Retry-After", s.RetryAfter)
	}
	switch {
	case refusal != 0:
		http.Error(w, `{"message":"refused"}`, refusal)
	case s.End == Nonsense:
		_, _ = io.WriteString(w, "<html>Bad gateway</html>")
	case s.End == Hang:
		<-r.Context().Done()
		h.left <- struct{}{}
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// Vector is the vector of a text: the counts of its words, by their hash.
func Vector(text string) []float32 {
	v := make([]float32, Dimensions)
	v[0] = 0.1 // an empty text must have a norm above 0, too
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \n\t.,?!:;", r) }) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(word))
		v[h.Sum32()%Dimensions]++
	}
	return v
}

// texts returns the strings of a list. It returns nil unless all elements are non-empty
// strings.
func texts(list any) []string {
	var out []string
	items, _ := list.([]any)
	for _, item := range items {
		text, _ := item.(string)
		if text == "" {
			return nil
		}
		out = append(out, text)
	}
	return out
}

func openaiVectors(r *Request) any {
	input := texts(member(r.Body, "input"))
	if r.Path != "/v1/embeddings" || len(input) == 0 || member(r.Body, "model") == nil || member(r.Body, "encoding_format") != "float" {
		return nil
	}
	data := make([]any, len(input))
	for i, text := range input { // in reverse order, because only the index counts
		data[len(input)-1-i] = map[string]any{"object": "embedding", "index": i, "embedding": Vector(text)}
	}
	return map[string]any{"object": "list", "data": data, "model": member(r.Body, "model"), "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1}}
}

// invoked tells whether r is a signed InvokeModel request.
func invoked(r *Request, model string) bool {
	return regexp.MustCompile(`^/model/[A-Za-z0-9._%-]*`+model+`[A-Za-z0-9._%-]*/invoke$`).MatchString(r.Path) &&
		regexp.MustCompile(`^(Bearer \S|AWS4-HMAC-SHA256 Credential=\S+, SignedHeaders=\S+, Signature=[0-9a-f]{64}$)`).MatchString(r.Header.Get("Authorization"))
}

func titanVector(r *Request) any {
	text, _ := member(r.Body, "inputText").(string)
	if !invoked(r, "titan") || text == "" || len(r.Body) != 1 {
		return nil
	}
	return map[string]any{"embedding": Vector(text), "inputTextTokenCount": 3, "embeddingsByType": map[string]any{"float": Vector(text)}}
}

func cohereVectors(r *Request) any {
	list, kind := texts(member(r.Body, "texts")), member(r.Body, "input_type")
	if !invoked(r, "cohere") || len(list) == 0 || len(list) > 96 || (kind != "search_document" && kind != "search_query") {
		return nil
	}
	vectors := make([][]float32, len(list))
	for i, text := range list {
		vectors[i] = Vector(text)
	}
	return map[string]any{"id": "1", "response_type": "embeddings_by_type", "texts": list, "embeddings": map[string]any{"float": vectors}}
}
