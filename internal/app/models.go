package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"docqa/internal/chat"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/anthropic"
	"docqa/internal/provider/llm/bedrock"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
	"docqa/internal/provider/rerank"
	"docqa/internal/provider/wire"
	"docqa/internal/search"
	"docqa/internal/store"
)

// writers returns a writer for each model of the catalog. It calls no provider.
func writers(ctx context.Context, catalog *models.Catalog, c clock.Clock) (chat.Writer, error) {
	byID := map[string]chat.Writer{}
	for _, m := range catalog.List() {
		if m.Provider == models.Extractive {
			byID[m.ID] = chat.Extractive()
			continue
		}
		client, err := client(ctx, m, catalog.Key(m), c)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", m.ID, err)
		}
		model, err := grounded.New(resilient.New(client, resilient.Options{Clock: c}), grounded.Options{
			Context: m.Context, MaxOutput: m.MaxOutput, FixedTemperature: m.FixedTemperature,
		})
		if err != nil {
			return nil, err
		}
		byID[m.ID] = chat.Hosted(model)
	}
	return chat.ByModel(byID), nil
}

// openModels opens the models that make vectors and logs their names.
func openModels(ctx context.Context, cfg *config.Config, s *store.Store, log *slog.Logger) (*search.Models, error) {
	m, err := search.OpenModels(ctx, search.ModelOptions{
		Models: cfg.EmbeddingModels, Library: cfg.EmbeddingsLibrary, Threads: cfg.EmbeddingsThreads, APIKey: cfg.EmbeddingsAPIKey,
		Client: wire.NewClient(), Clock: clock.System(), Logger: log,
	})
	if err != nil {
		return nil, err
	}
	if err := m.Register(ctx, s); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if state := m.State(); len(state.Models) > 0 {
		log.InfoContext(ctx, "search is by words and vectors", slog.Any("models", state.Models))
	} else {
		log.WarnContext(ctx, "search is by keywords alone", slog.String("reason", state.Reason))
	}
	return m, nil
}

// openReranker opens the model that reranks passages; nil if none is configured.
func openReranker(ctx context.Context, cfg *config.Config, log *slog.Logger) (*rerank.CrossEncoder, error) {
	if cfg.Reranker == "none" {
		return nil, nil //nolint:nilnil // without a reranker, features alone decide the order of passages
	}
	c, err := rerank.Open(ctx, cfg.Reranker, rerank.Options{Library: cfg.EmbeddingsLibrary, Threads: cfg.RerankerThreads})
	if err != nil {
		return nil, err
	}
	log.InfoContext(ctx, "a model judges the passages found", slog.String("model", c.Model()))
	return c, nil
}

// searcher returns the service that searches with the opened models.
func (a *App) searcher() *search.Service {
	d := search.Deps{Store: a.store, Clock: a.clock, Logger: a.log, Vectors: a.models}
	if a.reranker != nil { // a nil pointer in an interface would not equal nil
		d.Reranker = a.reranker
	}
	return search.New(d)
}

// client returns the client of a hosted model.
func client(ctx context.Context, m models.Model, key string, c clock.Clock) (llm.Client, error) {
	switch m.Provider {
	case models.OpenAI:
		return openai.New(openai.Options{BaseURL: m.BaseURL, Key: key, Model: m.Target}), nil
	case models.Anthropic:
		return anthropic.New(anthropic.Options{BaseURL: m.BaseURL, Key: key, Model: m.Target}), nil
	case models.Bedrock:
		return bedrock.New(ctx, bedrock.Options{BaseURL: m.BaseURL, Region: m.Region, Model: m.Target, Key: key, Clock: c})
	}
	return nil, fmt.Errorf("there is no provider %q", m.Provider)
}
