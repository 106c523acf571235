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
	maxDimensions = 16_000   // the longest vector that Postgres stores
)

// The retries of an ingestion, which can wait.
const (
	attemptTime   = 30 * time.Second
	maxRetryAfter = 10 * time.Second // if the provider asks for a longer wait, it is asked again after this one
)

// Questions get one attempt, and none while the provider is left alone after failures: the
// search then uses words only.
const (
	questionTime = 1500 * time.Millisecond
	questionRest = 5 * time.Second
)

// protocol is the API of one provider.
type protocol interface {
	// request asks for the vectors of texts, none of which is empty.
	request(ctx context.Context, texts []string, question bool) (*http.Request, error)
	// vectors reads an answer: one vector for each text, in their order.
	vectors(body io.Reader) ([][]float32, error)
	// maxTexts is how many texts one request may hold.
	maxTexts() int
}

// hosted is a model that a provider runs.
type hosted struct {
	protocol

	model      string
	client     *http.Client
	passages   *resilience.Policy
	questions  *resilience.Policy
	dimensions atomic.Int64 // 0 until the first answer
}

// openHosted asks for one vector, to learn the dimensions. With Options.Patient it is no error
// if the provider cannot be reached now: the dimensions are then learned from the first
// answer.
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

// away tells whether err says that the provider cannot be reached or is overloaded. Missing
// credentials are not such a case: they are a mistake in the settings.
func away(err error) bool {
	e, ok := errors.AsType[*wire.Error](err)
	return ok && e.Temporary && !errors.Is(err, bedrock.ErrCredentials)
}

// Model is the name under which the vectors are stored.
func (h *hosted) Model() string { return h.model }

// Dimensions is the length of the vectors, 0 until the provider has answered for the first
// time.
func (h *hosted) Dimensions() int { return int(h.dimensions.Load()) }

// Expect sets the length of the vectors that are stored under the model's name. It changes
// nothing after the provider has answered.
func (h *hosted) Expect(dimensions int) { h.dimensions.CompareAndSwap(0, int64(dimensions)) }

// Close does nothing: the caller owns the client.
func (h *hosted) Close() error { return nil }

// Embed asks for the vectors of passages, as many in one request as the provider accepts.
func (h *hosted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return h.embed(ctx, h.passages, texts, false)
}

// EmbedQuestions is Embed for questions. It fails after one attempt, and at once while the
// provider is left alone after failures.
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

// outcome classifies the end of an attempt. An answer that cannot be read is requested again.
func outcome(ctx context.Context, err error) resilience.Outcome {
	o := resilience.Classify(ctx, err)
	if errors.Is(err, errUnreadable) {
		o.Retry = true
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) { // the provider stopped in the middle of its answer
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

// post makes one request.
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

// check normalises the vectors. It fails unless there are n of them, all of the known length.
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

// RefusedError says that the provider refused a request. The same request would be refused
// again.
type RefusedError struct {
	Status int // of the HTTP answer
	err    error
}

// Error names the status.
func (r *RefusedError) Error() string { return fmt.Sprintf("the request was refused: %v", r.err) }

// Unwrap returns the cause.
func (r *RefusedError) Unwrap() error { return r.err }

// Caller tells whether the provider refuses the caller or does not know the model, so that
// another attempt can succeed after the operator has changed the settings. Otherwise the
// provider refuses the texts.
func (r *RefusedError) Caller() bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden || r.Status == http.StatusNotFound
}

// failed returns the error for callers: Canceled stays as it is, others become Timeout or
// ProviderFailed.
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
