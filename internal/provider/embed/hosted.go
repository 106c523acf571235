package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm/bedrock"
	"docqa/internal/provider/resilience"
	"docqa/internal/provider/wire"
)

const (
	maxAnswer     = 64 << 20 // bytes
	maxDimensions = 16_000   // what Postgres' vectors hold
)

// The patience of an ingestion, which can wait.
const (
	attemptTime   = 30 * time.Second
	maxRetryAfter = 10 * time.Second // a provider that asks for a longer wait is asked again after this one
)

// The patience of questions, which are searched by words where the model does not answer: one
// attempt, and none while the provider rests after one that failed.
const (
	questionTime = 1500 * time.Millisecond
	questionRest = 5 * time.Second
)

// protocol is how the model of a provider is asked.
type protocol interface {
	// request asks for the vectors of texts, none of which is empty.
	request(ctx context.Context, texts []string, question bool) (*http.Request, error)
	// vectors reads an answer: one of each text, in their order.
	vectors(body io.Reader) ([][]float32, error)
	// maxTexts is how many texts one request may hold.
	maxTexts() int
}

// hosted is a model of a provider that others run.
type hosted struct {
	protocol

	model      string
	client     *http.Client
	passages   *resilience.Policy
	questions  *resilience.Policy
	dimensions atomic.Int64 // 0 until the first answer
}

// openHosted asks for one vector, to learn the dimensions. With Options.Patient, a provider
// that cannot be reached now is no error: it is asked again when its vectors are needed.
func openHosted(ctx context.Context, p protocol, model string, o Options) (Embedder, error) {
	if o.Client == nil {
		return nil, errors.New("an HTTP client is required")
	}
	h := &hosted{
		protocol: p, model: model, client: o.Client,
		passages: resilience.New(resilience.Options{AttemptTime: attemptTime, MaxRetryAfter: maxRetryAfter, Failures: -1}),
		questions: resilience.New(resilience.Options{
			Attempts: 1, AttemptTime: questionTime, Failures: 1, Rest: questionRest, Clock: o.Clock,
		}),
	}
	h.dimensions.Store(int64(o.Dimensions))
	_, err := h.Embed(ctx, []string{"dimensions"})
	if err == nil || o.Patient && away(err) {
		return h, nil
	}
	return nil, err
}

// away tells whether err says that the provider cannot be reached or has no time. Missing
// credentials are no such case: they are a mistake in the settings.
func away(err error) bool {
	e, ok := errors.AsType[*wire.Error](err)
	return ok && e.Temporary && !errors.Is(err, bedrock.ErrCredentials)
}

// Model is the name that the service knows.
func (h *hosted) Model() string { return h.model }

// Dimensions is the length of the vectors, 0 until the service has answered for the first time.
func (h *hosted) Dimensions() int { return int(h.dimensions.Load()) }

// Expect says how long the vectors are that are stored under the model's name. Once the
// service has answered it changes nothing.
func (h *hosted) Expect(dimensions int) { h.dimensions.CompareAndSwap(0, int64(dimensions)) }

// Close does nothing: the client is not ours.
func (h *hosted) Close() error { return nil }

// Embed asks for the vectors of passages, as many at a time as the provider takes.
func (h *hosted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return h.embed(ctx, h.passages, texts, false)
}

// EmbedQuestions is Embed for texts that are asked: it fails soon, and at once while the
// provider rests after a failure.
func (h *hosted) EmbedQuestions(ctx context.Context, texts []string) ([][]float32, error) {
	return h.embed(ctx, h.questions, texts, true)
}

func (h *hosted) embed(ctx context.Context, policy *resilience.Policy, texts []string, question bool) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for part := range slices.Chunk(notEmpty(texts), h.maxTexts()) {
		var got [][]float32
		err := policy.Run(ctx, func(attemptCtx context.Context) resilience.Outcome {
			var err error
			got, err = h.post(attemptCtx, part, question)
			return outcome(ctx, err)
		})
		if err == nil {
			err = h.check(got, len(part))
		}
		if err != nil {
			return nil, failed(ctx, err)
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// outcome classifies the end of an attempt. An answer that cannot be read is asked for again.
func outcome(ctx context.Context, err error) resilience.Outcome {
	o := resilience.Classify(ctx, err)
	if errors.Is(err, errUnreadable) {
		o.Retry = true
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) { // it stopped in the middle of its answer
			o.Health = resilience.Bad
		}
	}
	o.RetryAfter = min(o.RetryAfter, maxRetryAfter)
	return o
}

// notEmpty returns texts with a space in place of each empty one, which providers refuse.
func notEmpty(texts []string) []string {
	texts = slices.Clone(texts)
	for i, t := range texts {
		if t == "" {
			texts[i] = " "
		}
	}
	return texts
}

// errUnreadable says that an answer does not follow the protocol.
var errUnreadable = errors.New("read the answer")

// post asks once.
func (h *hosted) post(ctx context.Context, texts []string, question bool) ([][]float32, error) {
	req, err := h.request(ctx, texts, question)
	if err != nil {
		return nil, err
	}
	res, err := wire.Do(h.client, req, "")
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	vectors, err := h.vectors(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return vectors, nil
}

// check normalises the vectors. It fails unless there is one of the known length for each
// of n texts.
func (h *hosted) check(vectors [][]float32, n int) error {
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

// RefusedError says that a provider does not take a request, however often it is asked.
type RefusedError struct {
	Status int // of HTTP
	err    error
}

// Error names the status.
func (r *RefusedError) Error() string { return fmt.Sprintf("the request was refused: %v", r.err) }

// Unwrap returns the cause.
func (r *RefusedError) Unwrap() error { return r.err }

// Caller tells whether the provider refuses the caller or does not know the model, so that
// another try can help when the operator has changed the settings. Otherwise it refuses the
// texts.
func (r *RefusedError) Caller() bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden || r.Status == http.StatusNotFound
}

// failed returns the error that callers see: Canceled as it is, else Timeout or ProviderFailed.
func failed(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	kind, code := apperr.KindProviderFailed, apperr.CodeProviderError
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(err, resilience.ErrBusy) {
		kind, code = apperr.KindTimeout, apperr.CodeProviderTimeout
	}
	if e, ok := errors.AsType[*wire.Error](err); ok && !e.Temporary {
		err = &RefusedError{Status: e.Status, err: err}
	}
	return apperr.New(kind, code, "the embedding server failed").Wrap(err)
}
