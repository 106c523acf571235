package embedding

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/embed"
	"docqa/internal/store"
)

// pageChunks is how many chunks are read, embedded and committed at once: what a killed
// process does again.
const pageChunks = 16

// Reindexing are the caller's parts of a reindex; each may be nil.
type Reindexing struct {
	// Progress is called after every page with how many of the project's chunks have vectors
	// of the model. Its error ends the work.
	Progress func(ctx context.Context, done, total int) error
	// Yield is called after every page. Its error ends the work.
	Yield func(ctx context.Context) error
	// Finish is called in the transaction of the switch, after it.
	Finish func(ctx context.Context, tx pgx.Tx) error
}

// Reindex gives every chunk of the project a vector of the model, which may be named
// without its digest (empty: the default), and has these answer from then on. Until then
// the vectors before answer. What was made is kept when it is interrupted; called again it
// goes on from there. apperr.Invalid (unknown_model) for a model that the process has not
// got, apperr.KindNotFound for a project that is gone; else as Embed.
func (s *Service) Reindex(ctx context.Context, companyID, projectID, model string, o Reindexing) error {
	full, ok := s.models.Resolve(model)
	if !ok {
		return apperr.Invalid(apperr.CodeUnknownModel, "this installation has no such embedding model")
	}
	r := reindex{Service: s, Reindexing: o, companyID: companyID, projectID: projectID, model: full}
	for {
		if err := r.build(ctx); err != nil {
			return fmt.Errorf("build vectors of %s: %w", full, err)
		}
		switched, err := r.change(ctx)
		if err != nil {
			return fmt.Errorf("switch to the vectors of %s: %w", full, err)
		}
		if switched {
			return nil
		}
	}
}

// reindex is the way of one project to one model.
type reindex struct {
	*Service
	Reindexing

	companyID, projectID, model string
}

// build makes the vectors that are missing, page by page.
func (r *reindex) build(ctx context.Context) error {
	var total, done int
	if r.Progress != nil {
		var err error
		if total, done, err = r.count(ctx); err != nil {
			return err
		}
	}
	page := dbsqlc.ChunkVectorsMissingParams{CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model, RowLimit: pageChunks}
	for {
		rows, err := r.q.ChunkVectorsMissing(ctx, r.store.Pool(), page)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := r.page(ctx, rows); err != nil {
			return err
		}
		page.AfterChunkID = rows[len(rows)-1].ChunkID
		done += len(rows)
		if r.Progress != nil {
			if err := r.Progress(ctx, min(done, total), total); err != nil {
				return err
			}
		}
		if r.Yield != nil {
			if err := r.Yield(ctx); err != nil {
				return err
			}
		}
	}
}

func (r *reindex) count(ctx context.Context) (total, done int, err error) {
	chunks, err := r.q.ChunkCount(ctx, r.store.Pool(), dbsqlc.ChunkCountParams{CompanyID: r.companyID, ProjectID: r.projectID})
	if err != nil {
		return 0, 0, err
	}
	have, err := r.q.ChunkVectorsCount(ctx, r.store.Pool(), dbsqlc.ChunkVectorsCountParams{
		CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model,
	})
	return int(chunks), int(have), err
}

// read is Read, but for texts that the model refuses: these get a vector that is near
// nothing, so that one of them does not keep the project's other chunks from theirs. Words
// still find them.
func (r *reindex) read(ctx context.Context, pieces []Piece) ([]Reading, error) {
	readings, err := Read(ctx, r.models, r.model, pieces)
	refused, ok := errors.AsType[*embed.RefusedError](err)
	switch {
	case !ok || refused.Caller():
		return readings, err
	case len(pieces) == 1 && r.models.Dimensions(r.model) > 0:
		return []Reading{{Chunk: make([]float32, r.models.Dimensions(r.model)), Sentences: []byte{}}}, nil
	case len(pieces) == 1:
		return nil, err
	}
	for i := range pieces {
		one, err := r.read(ctx, pieces[i:i+1])
		if err != nil {
			return nil, err
		}
		readings = append(readings, one...)
	}
	return readings, nil
}

// page reads some chunks and commits their vectors.
func (r *reindex) page(ctx context.Context, rows []dbsqlc.ChunkVectorsMissingRow) error {
	pieces, chunkIDs, documentIDs := make([]Piece, len(rows)), make([]int64, len(rows)), []string{}
	for i, row := range rows {
		pieces[i] = Piece{Title: row.Title, HeadingPath: row.HeadingPath, Context: row.Context, Body: row.Body}
		chunkIDs[i] = row.ChunkID
		if i == 0 || row.DocumentID != rows[i-1].DocumentID {
			documentIDs = append(documentIDs, row.DocumentID)
		}
	}
	readings, err := r.read(ctx, pieces)
	if err != nil {
		return err
	}
	return r.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := r.q.DocumentsLockNamed(ctx, tx, dbsqlc.DocumentsLockNamedParams{CompanyID: r.companyID, ProjectID: r.projectID, DocumentIds: documentIDs})
		if err != nil {
			return fmt.Errorf("lock documents: %w", err)
		}
		err = insert(ctx, tx, rowSet{companyID: r.companyID, projectID: r.projectID, model: r.model, chunkIDs: chunkIDs, readings: readings})
		if err != nil {
			return err
		}
		return r.q.DocumentsVectored(ctx, tx, dbsqlc.DocumentsVectoredParams{
			CompanyID: r.companyID, ProjectID: r.projectID, DocumentIds: documentIDs, Model: r.model,
		})
	})
}

// change has the model's vectors answer and removes the others, unless chunks came
// meanwhile that have none: under the project's lock, which every ingestion takes.
func (r *reindex) change(ctx context.Context) (switched bool, err error) {
	err = r.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := r.q.ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: r.companyID, ProjectID: r.projectID})
		if store.IsNoRows(err) {
			return apperr.NotFound()
		}
		if err != nil {
			return err
		}
		missing, err := r.q.ChunkVectorsAnyMissing(ctx, tx, dbsqlc.ChunkVectorsAnyMissingParams{
			CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model,
		})
		if err != nil || missing {
			return err
		}
		switched = true
		return r.take(ctx, tx)
	})
	return switched && err == nil, err
}

func (r *reindex) take(ctx context.Context, tx pgx.Tx) error {
	err := r.q.ProjectVectorModelSet(ctx, tx, dbsqlc.ProjectVectorModelSetParams{
		CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model, Now: r.clock.Now(),
	})
	if err != nil {
		return err
	}
	_, err = r.q.ChunkVectorsDeleteOthers(ctx, tx, dbsqlc.ChunkVectorsDeleteOthersParams{
		CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model,
	})
	if err != nil {
		return err
	}
	_, err = r.q.ChunkSentencesDeleteOthers(ctx, tx, dbsqlc.ChunkSentencesDeleteOthersParams{
		CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model,
	})
	if err != nil || r.Finish == nil {
		return err
	}
	return r.Finish(ctx, tx)
}
