package quality

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/ogen-go/ogen/ogenerrors"
	"golang.org/x/sync/errgroup"

	"docqa/eval/dataset"
	"docqa/eval/instance"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/apiclient"
)

// project is a project of the service with the documents of one set.
type project struct {
	id    string
	chat  *apiclient.Client
	rag   *ragapi.Client
	files map[string]string // file names by document id
}

// newProject makes a project called name with an integration key.
func (r *runner) newProject(ctx context.Context, owner *apiclient.Client, name string) (*project, error) {
	made, err := owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: name}, mainapi.CreateProjectParams{})
	if err != nil {
		return nil, fmt.Errorf("create the project: %w", apiclient.Explain(err))
	}
	p := &project{id: made.Project.ProjectID}
	issued, err := owner.CreateKey(ctx, mainapi.OptAPIKeyCreate{}, mainapi.CreateKeyParams{ProjectID: p.id})
	if err != nil {
		return nil, fmt.Errorf("issue a key: %w", apiclient.Explain(err))
	}
	if p.chat, err = apiclient.New(r.dev.Dev.BaseURL, apiclient.Credentials{Key: issued.Secret}); err != nil {
		return nil, err
	}
	p.rag, err = newRAGClient(r.dev)
	return p, err
}

// ingest uploads the documents of the set and waits until all are indexed.
func (r *runner) ingest(ctx context.Context, owner *apiclient.Client, p *project, set *dataset.Set) error {
	var uploaded atomic.Int64
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Parallel)
	for i := range set.Documents {
		d := &set.Documents[i]
		group.Go(func() error {
			if _, err := owner.Upload(groupCtx, p.id, d.Name, d.Data); err != nil {
				return fmt.Errorf("upload %s: %w", d.Name, err)
			}
			r.progress("%s: uploaded %d of %d documents", set.Name, uploaded.Add(1), len(set.Documents))
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	var done apiclient.Progress
	documents, err := owner.WaitFor(ctx, p.id, apiclient.Wait{Vectors: r.opts.Model != "", Report: func(g apiclient.Progress) {
		done = g
		r.progress("%s: indexed %d of %d documents, with vectors %d", set.Name, g.Indexed, g.Total, g.Vectored)
	}})
	if err != nil {
		return err
	}
	if done.Indexed != len(set.Documents) {
		return fmt.Errorf("%d of %d documents of %s are indexed, %d failed", done.Indexed, len(set.Documents), set.Name, done.Failed)
	}
	p.files = make(map[string]string, len(documents))
	for i := range documents {
		p.files[documents[i].DocumentID] = documents[i].Filename
	}
	return nil
}

// ragKey is the operator's key for the retrieval API.
type ragKey string

// RagServiceKey returns the key.
func (k ragKey) RagServiceKey(context.Context, ragapi.OperationName) (ragapi.RagServiceKey, error) {
	return ragapi.RagServiceKey{APIKey: string(k)}, nil
}

// RagBearer says that no token is sent.
func (ragKey) RagBearer(context.Context, ragapi.OperationName) (ragapi.RagBearer, error) {
	return ragapi.RagBearer{}, ogenerrors.ErrSkipClientSecurity
}

func newRAGClient(dev *instance.Instance) (*ragapi.Client, error) {
	return ragapi.NewClient(dev.Dev.BaseURL, ragKey(dev.Dev.RagServiceKey), ragapi.WithClient(&http.Client{Timeout: time.Minute}))
}
