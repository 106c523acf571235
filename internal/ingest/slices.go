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

// sliceBytes limits the size of a slice, in addition to the limit of its chunks.
const sliceBytes = 8 << 20

// slice is the part of a document's chunks that one step stores.
type slice struct {
	records []*chunkfile.Record
	after   column.IngestWork // the progress of the document once the slice is stored
	ended   bool              // it is the last slice
}

// workOf returns the progress of a file of which nothing is stored yet.
func workOf(sha256 string, s *chunkfile.Summary) column.IngestWork {
	w := column.IngestWork{SHA256: sha256, Chunks: s.Chunks, Language: s.Language}
	if s.Pages > 0 {
		pages := int32(s.Pages)
		w.Pages = &pages
	}
	w.LeftOut = &column.LeftOut{Characters: s.Characters, Reasons: []column.LeftOutPart{}}
	for _, l := range s.LeftOut {
		w.LeftOut.Characters += l.Characters
		w.LeftOut.Reasons = append(w.LeftOut.Reasons, column.LeftOutPart{Reason: string(l.Reason), Characters: l.Characters})
	}
	return w
}

// nextSlice reads the next slice. from must begin where the stored chunks end.
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

// storeWork stores the chunk file of a large document in the bucket, and queues its first slice.
func (s *Service) storeWork(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, work column.IngestWork, file *os.File, size int64) error {
	work.ObjectKey = files.OwnKey(d)
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, s.Clock.Now().Add(files.UnclaimedAfter), work.ObjectKey))
		return err
	})
	if err != nil {
		return fmt.Errorf("insert the cleanup of the chunk file: %w", err)
	}
	if err := s.Objects.Put(ctx, work.ObjectKey, file, size); err != nil {
		return err
	}
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		err := s.q.ChunkStageDelete(ctx, tx, dbsqlc.ChunkStageDeleteParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
		if err != nil {
			return fmt.Errorf("delete the old slices: %w", err)
		}
		return s.queueNext(ctx, tx, d, work)
	})
}

// storeSlice stores the next slice of a large document. The last slice makes the document
// searchable.
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

// readAgain queues the step that reads the file, because the chunk file is gone.
func (s *Service) readAgain(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		return s.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{Stage: "parsing", Progress: shareReading})
	})
}

// queueNext queues the next slice.
func (s *Service) queueNext(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, work column.IngestWork) error {
	return s.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{
		Stage: "storing", Progress: shareStoring + (1-shareStoring)*float32(work.Stored)/float32(work.Chunks),
		PageCount: work.Pages, Work: &work,
	})
}

// queue inserts the job of the document's next step, in the transaction that ends the current one.
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

// stage stores chunks where no search reads them yet.
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

// dropWork removes the slices of a run that ends, and inserts the job that removes its chunk file.
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
