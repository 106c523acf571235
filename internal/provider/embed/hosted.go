package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/provider/breaker"
)

const (
	maxAnswer     = 64 << 20 // bytes
	attempts      = 3
	firstPause    = 200 * time.Millisecond
	longestPause  = 10 * time.Second
	attemptTime   = 30 * time.Second
	maxDimensions = 16_000 // what Postgres' vectors hold
)

// The patience of questions, which words answer where the model does not: one attempt, and
// none while the service rests after one that failed.
const (
	questionTime = 1500 * time.Millisecond
	questionRest = 5 * time.Second
)

// errResting stands for a question that was not sent.
var errResting = errors.New("the server is left alone after a failure")

// protocol is how the model of a service is asked.
type protocol interface {
	// request asks for the vectors of texts, none of which is empty.
	request(ctx context.Context, texts []string, question bool) (*http.Request, error)
	// vectors reads an answer: one of each text, in their order.
	vectors(body io.Reader) ([][]float32, error)
	// most is how many texts one request may hold.
	most() int
}

// hosted is a model of a service that others run.
type hosted struct {
	protocol

	model      string
	client     *http.Client
	questions  *breaker.Breaker
	dimensions atomic.Int64 // 0 until the first answer
}

// openHosted asks for one vector, to learn the dimensions. With patience, a service that
// cannot be reached now is no error: it is asked again when its vectors are needed.
func openHosted(ctx context.Context, p protocol, model string, o Options) (Embedder, error) {
	if o.Client == nil {
		return nil, errors.New("an HTTP client is required")
	}
	if o.Clock == nil {
		o.Clock = clock.System()
	}
	h := &hosted{protocol: p, model: model, client: o.Client, questions: breaker.New(o.Clock, 1, questionRest)}
	h.dimensions.Store(int64(o.Dimensions))
	_, err := h.ask(ctx, []string{"dimensions"}, false)
	if err == nil || o.Patient && errors.Is(err, errAway) {
		return h, nil
	}
	return nil, err
}

// errAway says that a service cannot be reached or has no time.
var errAway = errors.New("the server is away")

// Model is the name that the service knows.
func (h *hosted) Model() string { return h.model }

// Dimensions is the length of the vectors, 0 until the service has answered for the first time.
func (h *hosted) Dimensions() int { return int(h.dimensions.Load()) }

// Expect says how long the vectors are that are stored under the model's name. Once the
// service has answered it changes nothing.
func (h *hosted) Expect(dimensions int) { h.dimensions.CompareAndSwap(0, int64(dimensions)) }

// Close does nothing: the client is not ours.
func (h *hosted) Close() error { return nil }

// Embed asks for the vectors of passages, as many at a time as the service takes.
func (h *hosted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return h.embed(ctx, texts, false)
}

// EmbedQuestions is Embed for texts that are asked: it fails soon, and at once while the
// service has just failed.
func (h *hosted) EmbedQuestions(ctx context.Context, texts []string) (vectors [][]float32, err error) {
	if !h.questions.Allow() {
		return nil, failed(errResting)
	}
	verdict := breaker.Unknown
	defer func() { h.questions.Done(verdict) }()
	inTime, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	vectors, err = h.embed(inTime, texts, true)
	switch {
	case err == nil:
		verdict = breaker.Good
	case ctx.Err() == nil && (inTime.Err() != nil || errors.Is(err, errAway)):
		verdict = breaker.Bad
	}
	return vectors, err
}

func (h *hosted) embed(ctx context.Context, texts []string, question bool) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for part := range slices.Chunk(texts, h.most()) {
		got, err := h.ask(ctx, part, question)
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// ask tries again while the service is busy or out of order, but not for a question.
func (h *hosted) ask(ctx context.Context, texts []string, question bool) ([][]float32, error) {
	texts = notEmpty(texts)
	pause := firstPause
	for attempt := 1; ; attempt++ {
		vectors, again, err := h.post(ctx, texts, question)
		if err == nil {
			err, again = h.judge(vectors, len(texts)), never
		}
		if err == nil {
			return vectors, nil
		}
		if again < 0 || question || attempt == attempts || ctx.Err() != nil {
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

// notEmpty gives texts a character: services refuse empty ones.
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
func (h *hosted) post(ctx context.Context, texts []string, question bool) (vectors [][]float32, again time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	req, err := h.request(ctx, texts, question)
	if err != nil {
		return nil, never, err
	}
	res, err := h.client.Do(req)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errAway, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, retryAfter(res), refusal(res)
	}
	if vectors, err = h.vectors(io.LimitReader(res.Body, maxAnswer)); err != nil {
		return nil, 0, fmt.Errorf("read the answer: %w", err)
	}
	return vectors, 0, nil
}

func busy(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}

func retryAfter(res *http.Response) time.Duration {
	if !busy(res.StatusCode) {
		return never
	}
	seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, longestPause)
}

// judge normalises the vectors. It fails unless there is one of the known length for each
// of n texts.
func (h *hosted) judge(vectors [][]float32, n int) error {
	if len(vectors) != n {
		return fmt.Errorf("the server answered %d vectors for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) > maxDimensions {
			return fmt.Errorf("the server answered a vector of %d dimensions", len(v))
		}
		h.dimensions.CompareAndSwap(0, int64(len(v)))
		if len(v) != h.Dimensions() {
			return fmt.Errorf("the server answered %d dimensions, expected are %d", len(v), h.Dimensions())
		}
		if err := normalise(v); err != nil {
			return err
		}
	}
	return nil
}

// RefusedError says that a service does not take a request, however often it is asked.
type RefusedError struct {
	Status int // of HTTP
	status string
}

// Error names the status.
func (r *RefusedError) Error() string { return "the server answered " + r.status }

// Caller tells whether the caller is refused, or its model is unknown, and not the text:
// another try can help when the operator has seen to it.
func (r *RefusedError) Caller() bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden || r.Status == http.StatusNotFound
}

func refusal(res *http.Response) error {
	if busy(res.StatusCode) {
		return fmt.Errorf("%w: it answered %s", errAway, res.Status)
	}
	return &RefusedError{Status: res.StatusCode, status: res.Status}
}

func failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	kind, code := apperr.KindProviderFailed, apperr.CodeProviderError
	if errors.Is(err, context.DeadlineExceeded) {
		kind, code = apperr.KindTimeout, apperr.CodeProviderTimeout
	}
	return apperr.New(kind, code, "the embedding server failed").Wrap(err)
}
