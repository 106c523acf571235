package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/store"
)

// ModelOptions say which models a process has.
type ModelOptions struct {
	Models  []models.Embedding // the default first
	Library string             // path of ONNX Runtime; empty: the one of make model, or the system's
	Threads int                // how many batches each local model computes at once; default 1
	APIKey  string             // for models on a server; empty: none is sent
	Client  *http.Client       // for models on a server
	Clock   clock.Clock        // for the signatures of requests to a server
	Logger  *slog.Logger
}

const notConfigured = "no model is configured (EMBEDDINGS)"

// OpenModels opens the models. If this program was built without support for local models,
// it logs that and returns no models: searches then use words only. Every other failure of
// a model is an error.
func OpenModels(ctx context.Context, o ModelOptions) (*Models, error) {
	m := NewModels()
	if len(o.Models) == 0 {
		m.reason = notConfigured
		return m, nil
	}
	for _, s := range o.Models {
		e, err := embed.Open(ctx, s, embed.Options{
			Library: o.Library, Threads: o.Threads, APIKey: o.APIKey, Client: o.Client,
			Clock: o.Clock, Patient: true,
		})
		if errors.Is(err, embed.ErrNotBuilt) {
			m.reason = embed.ErrNotBuilt.Error()
			continue
		}
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		if e.Dimensions() == 0 {
			o.Logger.WarnContext(ctx, "an embedding server does not answer yet", slog.String("model", e.Model()))
		}
		if m.Has(e.Model()) {
			return nil, errors.Join(fmt.Errorf("EMBEDDINGS names the model %s twice", e.Model()), e.Close(), m.Close())
		}
		m.add(e)
	}
	return m, nil
}

// expecting is a model that does not know the length of its vectors before its first call.
// Expect sets the length that is stored in the database.
type expecting interface{ Expect(dimensions int) }

// Register stores the models and the length of their vectors in the database. It fails if
// the database has vectors of another length under a model's name; those do not change.
func (m *Models) Register(ctx context.Context, s *store.Store) error {
	if m.Default() == "" {
		return nil
	}
	ctx, q := store.AsSystem(ctx, "models belong to no company"), dbsqlc.New()
	for _, one := range m.list {
		size := int32(one.Dimensions())
		stored, err := q.VectorModelRegister(ctx, s.Pool(), dbsqlc.VectorModelRegisterParams{Model: one.Model(), Dimensions: size})
		late, ok := one.Embedder.(expecting)
		switch {
		case store.IsNoRows(err): // neither the model nor the database knows the length yet
		case err != nil:
			return fmt.Errorf("register the model %s: %w", one.Model(), err)
		case size == 0 && ok:
			late.Expect(int(stored))
		case stored != size:
			return fmt.Errorf("EMBEDDINGS: the model %s has %d dimensions, and %d when its vectors were stored: "+
				"give the other model another name; the stored vectors are untouched", one.Model(), size, stored)
		}
	}
	return nil
}

// ModelState says which models there are and whether they work.
type ModelState struct {
	Models []string // names, the default first
	Reason string   // why there are none
	Failed bool     // the last call of the default model failed
}

// State returns the state of the models.
func (m *Models) State() ModelState {
	s := ModelState{Models: m.Names()}
	if len(s.Models) > 0 {
		s.Failed = m.list[0].failed.Load()
		return s
	}
	s.Reason = notConfigured
	if m != nil && m.reason != "" {
		s.Reason = m.reason
	}
	return s
}
