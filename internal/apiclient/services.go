package apiclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"

	"docqa/gen/ragapi"
)

// Services calls the retrieval API of one installation, as rag clients do.
type Services struct{ *ragapi.Client }

// NewServices returns a client for the API at baseURL.
func NewServices(baseURL, serviceKey string) (*Services, error) {
	h := &http.Client{Timeout: 2 * time.Minute}
	generated, err := ragapi.NewClient(strings.TrimRight(baseURL, "/"), ragKey(serviceKey), ragapi.WithClient(h))
	if err != nil {
		return nil, fmt.Errorf("%s is not an address of the API: %w", baseURL, err)
	}
	return &Services{Client: generated}, nil
}

// EmbeddingModel returns the name of the installation's embedding model, or "".
func (s *Services) EmbeddingModel(ctx context.Context) (string, error) {
	defaults, err := s.GetRagDefaults(ctx)
	if err != nil {
		return "", explainServices(err)
	}
	return defaults.EmbeddingModel, nil
}

// IngestURLs starts the ingestion of the pages and waits until it ends. The job lists the
// pages that failed.
func (s *Services) IngestURLs(ctx context.Context, projectID string, urls []string) (*ragapi.RagJob, error) {
	req := &ragapi.RagBatchRequest{ProjectID: projectID}
	for _, u := range urls {
		req.Documents = append(req.Documents, ragapi.RagDocumentInput{Title: titleOf(u), URL: ragapi.NewOptString(u)})
	}
	queued, err := s.RagIngestBatch(ctx, req, ragapi.RagIngestBatchParams{})
	if err != nil {
		return nil, explainServices(err)
	}
	var refused []error
	for _, r := range queued.Rejected {
		refused = append(refused, fmt.Errorf("%s: %s (%s)", urls[r.Index], r.Error, r.Code))
	}
	job, err := s.wait(ctx, queued.JobID)
	return job, errors.Join(append(refused, err)...)
}

func (s *Services) wait(ctx context.Context, jobID string) (*ragapi.RagJob, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		job, err := s.GetRagJob(ctx, ragapi.GetRagJobParams{JobID: jobID})
		if err != nil || !job.CompletedAt.Null {
			return job, explainServices(err)
		}
		select {
		case <-ctx.Done():
			return job, fmt.Errorf("wait for the job: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// titleOf returns the title of a page that is given only by its address.
func titleOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest = strings.TrimRight(rest, "/")
	if runes := []rune(rest); len(runes) > 255 {
		rest = string(runes[:255])
	}
	return rest
}

func explainServices(err error) error {
	if api, ok := errors.AsType[*ragapi.ErrorStatusCode](err); ok {
		return fmt.Errorf("the API answered %d: %s", api.StatusCode, api.Response.Error)
	}
	return err
}

// ragKey is a service key.
type ragKey string

func (ragKey) RagBearer(context.Context, ragapi.OperationName) (ragapi.RagBearer, error) {
	return ragapi.RagBearer{}, ogenerrors.ErrSkipClientSecurity
}

func (k ragKey) RagServiceKey(context.Context, ragapi.OperationName) (ragapi.RagServiceKey, error) {
	return ragapi.RagServiceKey{APIKey: string(k)}, nil
}
