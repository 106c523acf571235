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
	"docqa/jobs/jobargs"
)

// pageChunks is how many chunks are read, embedded and committed at once. A process that is
// killed loses at most one page.
const pageChunks = 16

// Reindex gives every chunk of the project a vector of the job's model and then switches the
// project to that model. Until the switch the old vectors answer. The model may be named
// without its digest; if it is empty, it is the default. What an interrupted attempt made is
// kept, and the next one continues from there. If job names a rag job, Reindex writes its
// progress and its end; once that job was canceled or replaced, Reindex returns nil.
//
// Errors: InvalidInput (unknown_model) if the process does not have the model, NotFound if
// the project is gone; else as embed.Embedder.
func (s *Service) Reindex(ctx context.Context, job jobargs.ReindexProject, a jobargs.Attempt) error {
	full, ok := s.models.Resolve(job.Model)
	if !ok {
		return apperr.Invalid(apperr.CodeUnknownModel, "this installation has no such embedding model")
	}
	r := reindex{Service: s, attempt: a, companyID: job.CompanyID, projectID: job.ProjectID, ragJobID: job.JobID, model: full}
	err := r.run(ctx)
	if errors.Is(err, errRagJobEnded) {
		return nil
	}
	return err
}

// errRagJobEnded says that the rag job was canceled or replaced by another reindex.
var errRagJobEnded = errors.New("the rag job has ended")

// reindex is one attempt to move a project to a model: the loop over its chunks, the switch
// and the progress of the rag job.
type reindex struct {
	*Service
	attempt jobargs.Attempt

	companyID, projectID, model string

	ragJobID    string // whose progress is written; empty: none
	done, total int    // chunks; counted only for a rag job
}

// run alternates between making missing vectors and trying to switch, until it has switched:
// chunks that arrive meanwhile need vectors too.
func (r *reindex) run(ctx context.Context) error {
	for {
		if err := r.build(ctx); err != nil {
			return fmt.Errorf("build vectors of %s: %w", r.model, err)
		}
		switched, err := r.switchModel(ctx)
		if err != nil {
			return fmt.Errorf("switch to the vectors of %s: %w", r.model, err)
		}
		if switched {
			return nil
		}
	}
}

// build makes the missing vectors, page by page.
func (r *reindex) build(ctx context.Context) error {
	if err := r.count(ctx); err != nil {
		return err
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
		r.done += len(rows)
		if err := r.writeProgress(ctx); err != nil {
			return err
		}
		if r.attempt.Yield != nil {
			if err := r.attempt.Yield(ctx); err != nil {
				return err
			}
		}
	}
}

// count counts the project's chunks and those that have a vector already.
func (r *reindex) count(ctx context.Context) error {
	if r.ragJobID == "" {
		return nil
	}
	chunks, err := r.q.ChunkCount(ctx, r.store.Pool(), dbsqlc.ChunkCountParams{CompanyID: r.companyID, ProjectID: r.projectID})
	if err != nil {
		return err
	}
	have, err := r.q.ChunkVectorsCount(ctx, r.store.Pool(), dbsqlc.ChunkVectorsCountParams{
		CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model,
	})
	r.total, r.done = int(chunks), int(have)
	return err
}

// writeProgress writes how many chunks have vectors. Error: errRagJobEnded.
func (r *reindex) writeProgress(ctx context.Context) error {
	if r.ragJobID == "" {
		return nil
	}
	n, err := r.q.RagJobProgressed(ctx, r.store.Pool(), dbsqlc.RagJobProgressedParams{
		CompanyID: r.companyID, ProjectID: r.projectID, JobID: r.ragJobID, Done: int32(min(r.done, r.total)), Total: int32(r.total), Now: r.clock.Now(),
	})
	switch {
	case err != nil:
		return fmt.Errorf("write progress: %w", err)
	case n == 0:
		return errRagJobEnded
	}
	return nil
}

// complete completes the worker's job and the rag job. Error: errRagJobEnded, if a later
// reindex decides which model answers.
func (r *reindex) complete(ctx context.Context, tx pgx.Tx) error {
	if r.attempt.Claim != nil {
		if err := r.attempt.Claim(ctx, tx); err != nil {
			return err
		}
	}
	if r.ragJobID == "" {
		return nil
	}
	n, err := r.q.RagJobCompleted(ctx, tx, dbsqlc.RagJobCompletedParams{
		CompanyID: r.companyID, ProjectID: r.projectID, JobID: r.ragJobID, Now: r.clock.Now(),
	})
	if err == nil && n == 0 {
		return errRagJobEnded
	}
	return err
}

// read makes the vectors of pieces. A text that the model refuses gets a zero vector, which is
// near nothing, so that it does not keep the project's other chunks from getting vectors.
// Keyword search still finds it.
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

// page makes the vectors of some chunks and commits them. The lock on their documents orders
// it with a deletion.
func (r *reindex) page(ctx context.Context, rows []dbsqlc.ChunkVectorsMissingRow) error {
	pieces, chunkIDs, documentIDs := make([]Piece, len(rows)), make([]int64, len(rows)), []string{}
	for i, row := range rows {
		pieces[i] = Piece{Title: row.Title, HeadingPath: row.HeadingPath, Context: row.Context, Body: row.Body, Blocks: row.Blocks}
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

// switchModel makes the model's vectors answer and deletes the others. It does nothing if
// chunks without a vector have arrived. It holds the project's lock, which every ingestion
// takes, so that none can arrive meanwhile.
func (r *reindex) switchModel(ctx context.Context) (switched bool, err error) {
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
		return r.setModel(ctx, tx)
	})
	return switched && err == nil, err
}

func (r *reindex) setModel(ctx context.Context, tx pgx.Tx) error {
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
	if err != nil {
		return err
	}
	return r.complete(ctx, tx)
}
