package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/platform/column"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// sliceBytes bounds a slice besides its number of chunks.
const sliceBytes = 8 << 20

// slice is a part of a document's chunks, as much as is stored at once.
type slice struct {
	records []*chunkfile.Record
	after   column.IngestWork // how far the document is once the slice is stored
	ended   bool              // it is the last one
}

// workOf is the work on a file of which nothing is stored yet.
func workOf(sha256 string, s *chunkfile.Summary) column.IngestWork {
	w := column.IngestWork{SHA256: sha256, Chunks: s.Chunks, Language: s.Language}
	if s.Pages > 0 {
		pages := int32(s.Pages)
		w.Pages = &pages
	}
	return w
}

// nextSlice reads the slice after what is stored; from begins there.
func (s *Service) nextSlice(work column.IngestWork, from io.Reader) (slice, error) {
	r := chunkfile.ResumeReader(from, work.Offset, work.Stored)
	sl := slice{after: work}
	for len(sl.records) < s.SliceChunks && r.Offset() < work.Offset+sliceBytes {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return sl, fmt.Errorf("read the chunks: %w", err)
		}
		sl.records = append(sl.records, record)
	}
	sl.after.Stored += len(sl.records)
	sl.after.Offset = r.Offset()
	sl.ended = sl.after.Stored == work.Chunks
	return sl, nil
}

// storeWork stores the chunk file of a large document in the bucket, and queues the first slice.
func (s *Service) storeWork(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, work column.IngestWork, file *os.File, size int64) error {
	work.ObjectKey = files.OwnKey(d)
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, s.Clock.Now().Add(files.UnclaimedAfter), work.ObjectKey))
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare to keep the chunks: %w", err)
	}
	if err := s.Objects.Put(ctx, work.ObjectKey, file, size); err != nil {
		return err
	}
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		err := s.q.ChunkStageDelete(ctx, tx, dbsqlc.ChunkStageDeleteParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
		if err != nil {
			return fmt.Errorf("delete the slices before: %w", err)
		}
		return s.queueNext(ctx, tx, d, work)
	})
}

// storeSlice stores the next slice of a large document; the last one makes it searchable.
func (s *Service) storeSlice(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	body, err := s.Objects.GetRange(ctx, d.Work.ObjectKey, d.Work.Offset, sliceBytes+chunkfile.MaxFrame)
	if errors.Is(err, blob.ErrNotFound) {
		return s.readAgain(ctx, d, attempt)
	}
	if err != nil {
		return err
	}
	defer body.Close()
	sl, err := s.nextSlice(*d.Work, body)
	if err != nil {
		return err
	}
	if sl.ended {
		return s.store(ctx, d, attempt, sl)
	}
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := s.stage(ctx, tx, d, sl.records); err != nil {
			return err
		}
		return s.queueNext(ctx, tx, d, sl.after)
	})
}

// readAgain begins the run anew: the chunk file is gone.
func (s *Service) readAgain(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		return s.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{Stage: "parsing", Progress: shareReading})
	})
}

// queueNext queues the slice after what is stored.
func (s *Service) queueNext(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, work column.IngestWork) error {
	return s.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{
		Stage: "storing", Progress: shareStoring + (1-shareStoring)*float32(work.Stored)/float32(work.Chunks),
		PageCount: work.Pages, Work: &work,
	})
}

// queue has the document wait for its next step, in the transaction that ended the one before.
func (s *Service) queue(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, p dbsqlc.DocumentQueuedParams) error {
	p.CompanyID, p.ProjectID, p.DocumentID, p.Run, p.Now = d.CompanyID, d.ProjectID, d.DocumentID, d.IngestRun, s.Clock.Now()
	if err := s.q.DocumentQueued(ctx, tx, p); err != nil {
		return fmt.Errorf("queue the next step: %w", err)
	}
	if _, err := s.Jobs.InsertTx(ctx, tx, jobargs.IngestDocument{DocumentRun: runOf(d)}, nil); err != nil {
		return fmt.Errorf("insert the job of the next step: %w", err)
	}
	return nil
}

// stage stores chunks beside those that are searched.
func (s *Service) stage(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, all []*chunkfile.Record) error {
	for len(all) > 0 {
		n := min(len(all), batchRows)
		rows := make([]dbsqlc.ChunkStageInsertParams, n)
		for i, r := range all[:n] {
			rows[i] = stageRow(d, r)
		}
		if err := store.ExecAll(s.q.ChunkStageInsert(ctx, tx, rows)); err != nil {
			return fmt.Errorf("insert chunks: %w", err)
		}
		all = all[n:]
	}
	return nil
}

// dropWork has the chunk file and the slices of a run that ends removed.
func (s *Service) dropWork(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	if d.Work == nil {
		return nil
	}
	err := s.q.ChunkStageDelete(ctx, tx, dbsqlc.ChunkStageDeleteParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err == nil {
		_, err = s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, time.Time{}, d.Work.ObjectKey))
	}
	if err != nil {
		return fmt.Errorf("drop the slices: %w", err)
	}
	return nil
}
