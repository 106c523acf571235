package ragservice

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/ingest"
	"docqa/internal/planlimit"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Repair runs Check and repairs what it found: it removes chunks that belong to no indexed
// document, and starts the ingestion of documents whose index is incomplete. It cannot repair a
// lost file.
//
// Source: docs/decisions.md#consistency.
func (s *Service) Repair(ctx context.Context, projectID string) (Consistency, error) {
	ctx, project, err := s.writableProject(ctx, projectID)
	if err != nil {
		return Consistency{}, err
	}
	found, err := s.check(ctx, project)
	if err != nil {
		return Consistency{}, err
	}
	repaired := map[string]bool{}
	if err := s.removeOrphans(ctx, project, found.Issues, repaired); err != nil {
		return Consistency{}, fmt.Errorf("remove chunks: %w", err)
	}
	if err := s.ingestAgain(ctx, project, found.Issues, repaired); err != nil {
		return Consistency{}, fmt.Errorf("queue documents: %w", err)
	}
	for _, issue := range found.Issues {
		if issue.remedy != remedyNone && repaired[issue.documentID] {
			found.Repaired++
		}
	}
	return found, nil
}

// removeOrphans removes chunks that belong to no indexed document, and adds their documents to
// repaired.
func (s *Service) removeOrphans(ctx context.Context, project dbsqlc.Project, issues []Issue, repaired map[string]bool) error {
	for _, issue := range issues {
		if issue.remedy != remedyRemoveOrphans && issue.remedy != remedyRemove {
			continue
		}
		err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			if issue.remedy == remedyRemove {
				d, err := s.q.DocumentGetForUpdate(ctx, tx, dbsqlc.DocumentGetForUpdateParams{
					CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentID: issue.documentID,
				})
				if err != nil {
					return store.RowError("lock document", err)
				}
				if d.IndexedAt != nil || d.Status == "processing" { // it was indexed meanwhile
					return nil
				}
			}
			_, err := s.q.ChunkDeleteByDocument(ctx, tx, dbsqlc.ChunkDeleteByDocumentParams{
				CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentID: issue.documentID,
			})
			if err != nil {
				return err
			}
			err = s.q.LexstatsChanged(ctx, tx, dbsqlc.LexstatsChangedParams{CompanyID: project.CompanyID, ProjectID: project.ProjectID, Now: s.Clock.Now()})
			if err != nil {
				return err
			}
			_, err = s.Jobs.InsertTx(ctx, tx, jobargs.SettleProject{CompanyID: project.CompanyID, ProjectID: project.ProjectID}, nil)
			return err
		})
		if err != nil {
			return err
		}
		repaired[issue.documentID] = true
	}
	return nil
}

// ingestAgain starts the ingestion of the documents whose index is incomplete, in one transaction,
// and adds them to repaired.
func (s *Service) ingestAgain(ctx context.Context, project dbsqlc.Project, issues []Issue, repaired map[string]bool) error {
	var documentIDs []string
	for _, issue := range issues {
		if issue.remedy == remedyIngest || issue.remedy == remedyReread || issue.remedy == remedyAdopt {
			documentIDs = append(documentIDs, issue.documentID)
		}
	}
	slices.Sort(documentIDs)
	documentIDs = slices.Compact(documentIDs)
	if len(documentIDs) == 0 {
		return nil
	}
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.LockProject(ctx, tx, project.CompanyID, project.ProjectID); err != nil {
			return err
		}
		free, err := s.q.DocumentsLockFree(ctx, tx, dbsqlc.DocumentsLockFreeParams{
			CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentIds: documentIDs,
		})
		if err != nil {
			return fmt.Errorf("lock documents: %w", err)
		}
		for _, issue := range issues {
			if !slices.Contains(free, issue.documentID) {
				continue
			}
			if err := s.prepareAgain(ctx, tx, project, issue); err != nil {
				return err
			}
		}
		started, err := s.Ingestion.Begin(ctx, tx, project.CompanyID, project.ProjectID, ingest.Selection{
			DocumentIDs: free, Statuses: []string{"uploaded", "indexed", "failed"},
		})
		for _, id := range started.DocumentIDs {
			repaired[id] = true
		}
		return err
	})
}

// prepareAgain changes the document so that its next run reads a file that exists.
func (s *Service) prepareAgain(ctx context.Context, tx pgx.Tx, project dbsqlc.Project, issue Issue) error {
	switch issue.remedy {
	case remedyReread:
		return s.q.DocumentForgetFile(ctx, tx, dbsqlc.DocumentForgetFileParams{
			CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentID: issue.documentID,
		})
	case remedyAdopt:
		return s.q.DocumentAdoptObject(ctx, tx, dbsqlc.DocumentAdoptObjectParams{
			CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentID: issue.documentID, ObjectKey: issue.object.Key,
			ObjectEtag: issue.object.ETag, SizeBytes: issue.object.Size, Now: s.Clock.Now(),
		})
	case remedyNone, remedyIngest, remedyRemove, remedyRemoveOrphans:
	}
	return nil
}
