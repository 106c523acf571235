package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"docqa/internal/apperr"
)

const (
	serverTexts   = 64       // in one request
	maxAnswer     = 64 << 20 // bytes
	attempts      = 3
	firstPause    = 200 * time.Millisecond
	longestPause  = 10 * time.Second
	maxDimensions = 16_000 // what Postgres' vectors hold
)

// server is a model behind OpenAI's protocol.
type server struct {
	url, model, key string
	client          *http.Client
	dimensions      int
}

// openServer asks for one vector, to learn the dimensions.
func openServer(ctx context.Context, s Setting, o Options) (Embedder, error) {
	if o.Client == nil {
		return nil, errors.New("an HTTP client is required")
	}
	e := &server{url: s.URL, model: s.Model, key: o.APIKey, client: o.Client}
	vectors, err := e.ask(ctx, []string{"dimensions"})
	if err != nil {
		return nil, err
	}
	e.dimensions = len(vectors[0])
	return e, nil
}

// Model is the name that the server knows.
func (s *server) Model() string { return s.model }

// Dimensions is the length of the vectors.
func (s *server) Dimensions() int { return s.dimensions }

// Close does nothing: the client is not ours.
func (s *server) Close() error { return nil }

// Embed asks for the vectors of 64 texts at a time.
func (s *server) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for part := range slices.Chunk(texts, serverTexts) {
		got, err := s.ask(ctx, part)
		if err != nil {
			return nil, err
		}
		if len(got[0]) != s.dimensions {
			return nil, failed(fmt.Errorf("the server answered %d dimensions after %d", len(got[0]), s.dimensions))
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// ask tries again while the server is busy or out of order.
func (s *server) ask(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": s.model, "input": notEmpty(texts), "encoding_format": "float"})
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	pause := firstPause
	for attempt := 1; ; attempt++ {
		vectors, again, err := s.post(ctx, body, len(texts))
		if err == nil {
			return vectors, nil
		}
		if again < 0 || attempt == attempts || ctx.Err() != nil {
			return nil, failed(err)
		}
		wait := time.NewTimer(min(max(pause, again), longestPause))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return nil, failed(ctx.Err())
		}
		pause *= 4
	}
}

// notEmpty gives texts a character: servers refuse empty ones.
func notEmpty(texts []string) []string {
	texts = slices.Clone(texts)
	for i, t := range texts {
		if t == "" {
			texts[i] = " "
		}
	}
	return texts
}

const never = -1

// post asks once. On an error, again is how long to wait at least before the next attempt;
// negative: there is no use in one.
func (s *server) post(ctx context.Context, body []byte, n int) (vectors [][]float32, again time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, never, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if s.key != "" {
		req.Header.Set("Authorization", "Bearer "+s.key)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("reach the server: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, retryAfter(res), fmt.Errorf("the server answered %s", res.Status)
	}
	var answer answer
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(&answer); err != nil {
		return nil, 0, fmt.Errorf("read the answer: %w", err)
	}
	vectors, err = answer.vectors(n)
	return vectors, never, err
}

func retryAfter(res *http.Response) time.Duration {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode < http.StatusInternalServerError {
		return never
	}
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, longestPause)
}

// answer is the part of the protocol's response that is read.
type answer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// vectors puts n vectors in order. It fails unless there is one of the same length for each.
func (a answer) vectors(n int) ([][]float32, error) {
	if len(a.Data) != n {
		return nil, fmt.Errorf("the server answered %d vectors for %d texts", len(a.Data), n)
	}
	vectors, size := make([][]float32, n), len(a.Data[0].Embedding)
	for _, d := range a.Data {
		switch {
		case d.Index < 0 || d.Index >= n || vectors[d.Index] != nil:
			return nil, fmt.Errorf("the server answered the index %d twice or out of order", d.Index)
		case len(d.Embedding) != size || size == 0 || size > maxDimensions:
			return nil, fmt.Errorf("the server answered a vector of %d dimensions", len(d.Embedding))
		}
		if err := normalise(d.Embedding); err != nil {
			return nil, err
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

func failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	kind, code := apperr.ProviderFailed, "provider_error"
	if errors.Is(err, context.DeadlineExceeded) {
		kind, code = apperr.Timeout, "provider_timeout"
	}
	return apperr.New(kind, code, "the embedding server failed").Wrap(err)
}
