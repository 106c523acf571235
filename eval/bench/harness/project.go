package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
)

// Project is a project into which the corpus was ingested.
type Project struct {
	ID     string
	Key    string // an integration key
	Chunks int    // how many chunks the corpus became
}

// NewProject makes a project, ingests the corpus into it and issues a key. chatModel answers its questions; empty means the
// built-in composition.
func (h *Harness) NewProject(ctx context.Context, s *Server, name, chatModel string) (p Project, err error) {
	made, err := s.Owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: name}, mainapi.CreateProjectParams{})
	if err != nil {
		return p, apiclient.Explain(err)
	}
	p.ID = made.Project.ProjectID
	if chatModel != "" {
		_, err := s.Owner.UpdateProject(ctx, &mainapi.ProjectPatch{ChatModelArn: mainapi.NewOptNilString(chatModel)}, mainapi.UpdateProjectParams{ProjectID: p.ID})
		if err != nil {
			return p, apiclient.Explain(err)
		}
	}
	h.Progress("ingesting %d documents into %s", documents, name)
	if err := s.ingestCorpus(ctx, p.ID); err != nil {
		return p, err
	}
	if err := s.Conn.QueryRow(ctx, "select count(*) from chunks where project_id = $1", p.ID).Scan(&p.Chunks); err != nil {
		return p, err
	}
	issued, err := s.Owner.CreateKey(ctx, mainapi.OptAPIKeyCreate{}, mainapi.CreateKeyParams{ProjectID: p.ID})
	if err != nil {
		return p, apiclient.Explain(err)
	}
	p.Key = issued.Secret
	return p, nil
}

// ingestCorpus uploads the corpus and waits until it is indexed, with vectors if the server makes some.
func (s *Server) ingestCorpus(ctx context.Context, project string) error {
	files := corpus()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := s.Owner.Upload(ctx, project, name, files[name]); err != nil {
			return fmt.Errorf("upload %s: %w", name, err)
		}
	}
	services, err := apiclient.NewServices(s.URL, s.RAGKey)
	if err != nil {
		return err
	}
	model, err := services.EmbeddingModel(ctx)
	if err != nil {
		return err
	}
	var progress apiclient.Progress
	_, err = s.Owner.WaitFor(ctx, project, apiclient.Wait{Vectors: model != "", Report: func(p apiclient.Progress) { progress = p }})
	if err != nil {
		return err
	}
	if progress.Indexed != documents {
		return fmt.Errorf("%d of %d documents are indexed", progress.Indexed, documents)
	}
	return nil
}
