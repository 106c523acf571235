package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/parse"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/outbound"
	"docqa/internal/provider/blob"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Parser reads a file and writes its chunks to out. *parsing.Parser does. apperr.Invalid, or
// the code timeout, says what is wrong with the file, any other error that reading should be
// tried again.
type Parser interface {
	Read(ctx context.Context, req parsing.Request, out io.Writer) (*chunkfile.Summary, error)
}

// Pages checks addresses and reads what lies there. *outbound.Guard does. What it refuses
// is apperr.Invalid.
type Pages interface {
	CheckPage(ctx context.Context, rawURL string) error
	Open(ctx context.Context, rawURL string) (*outbound.Page, error)
}

// Deps is what a Service needs.
type Deps struct {
	Store   *store.Store
	Objects *blob.Store
	Jobs    jobargs.Inserter
	Formats files.Formats
	Pages   Pages
	Clock   clock.Clock
	Parser  Parser
	Logger  *slog.Logger
	Vectors *search.Models // nil: search is by keywords alone
	TempDir string         // where files lie while they are read; empty: the system's folder
	// SliceChunks is how many chunks are stored at once, 0: a thousand, which take less than a second.
	SliceChunks int
	// SharedPrefix is where in the bucket the operator puts objects that sources may
	// name; empty: nowhere.
	SharedPrefix string
}

// Service reads documents and makes them searchable.
//
// One call does one step: it fetches a page, reads a file, or stores a slice of a large one.
// Between the steps the document waits in the queue, so that companies take turns.
type Service struct {
	Deps
	q       *dbsqlc.Queries
	settler settler
}

// sliceChunks is the default of Deps.SliceChunks.
const sliceChunks = 1000

// New returns a Service.
func New(d Deps) *Service {
	if d.SliceChunks == 0 {
		d.SliceChunks = sliceChunks
	}
	q := dbsqlc.New()
	return &Service{Deps: d, q: q, settler: settler{q: q, clock: d.Clock}}
}

// errRunOver says that the document is gone or that its run is another one by now.
func errRunOver() error {
	return apperr.Conflict(apperr.CodeRunOver, "the document was deleted, timed out or started anew")
}

func isRunOver(err error) bool { return apperr.KindOf(err) == apperr.KindConflict }

// Ingest does the next step of a document whose file is stored: it reads the file, or stores
// a slice of what was read. The outcome is written in one transaction with the job's
// completion, and with the job of the next step where there is one. apperr.Conflict when the
// run is over, apperr.KindRateLimited when there is no room on the disk just now; any other
// error: try again.
func (s *Service) Ingest(ctx context.Context, job jobargs.IngestDocument, attempt jobargs.Attempt) error {
	return s.step(ctx, job.DocumentRun, attempt, func(ctx context.Context, d dbsqlc.Document) error {
		if d.Work != nil {
			return s.storeSlice(ctx, d, attempt)
		}
		return s.read(ctx, d, attempt)
	})
}

// FetchPage reads the page that a document is made of and stores it as the document's file.
// Outcome and errors as Ingest.
func (s *Service) FetchPage(ctx context.Context, job jobargs.FetchPage, attempt jobargs.Attempt) error {
	return s.step(ctx, job.DocumentRun, attempt, func(ctx context.Context, d dbsqlc.Document) error {
		return s.fetchPage(ctx, d, attempt)
	})
}

// step does one step of the document's run, if that is still the one that the job is for.
// The faults of a file fail its document.
func (s *Service) step(ctx context.Context, run jobargs.DocumentRun, attempt jobargs.Attempt, do func(context.Context, dbsqlc.Document) error) error {
	row, err := s.q.DocumentForStep(ctx, s.Store.Pool(), dbsqlc.DocumentForStepParams{
		CompanyID: run.CompanyID, ProjectID: run.ProjectID, DocumentID: run.DocumentID,
	})
	d := row.Document
	switch {
	case store.IsNoRows(err), err == nil && (d.Status != "processing" || d.IngestRun != run.Run):
		return errRunOver()
	case err != nil:
		return fmt.Errorf("get document: %w", err)
	case row.ProjectStatus == "archived":
		return s.fail(ctx, d, attempt, fault{code: codeProjectArchived, message: projectArchived})
	case attempt.Exhausted:
		return s.fail(ctx, d, attempt, fault{code: "interrupted", message: "the ingestion was interrupted too often", retryable: true})
	}
	if err := s.begun(ctx, d); err != nil {
		return err
	}
	err = do(ctx, d)
	if err == nil || isRunOver(err) || errors.Is(ctx.Err(), context.Canceled) { // interrupted: that is no fault of the file
		return err
	}
	if f, ok := faultOf(err); ok {
		return s.fail(ctx, d, attempt, f)
	}
	if isDiskFull(err) {
		return errDiskFull(err)
	}
	if attempt.Last {
		s.Logger.ErrorContext(ctx, "ingestion given up", slog.String("document_id", d.DocumentID), slog.Any("error", err))
		return s.fail(ctx, d, attempt, lastFault())
	}
	return err
}

// begun starts the clock of the document's deadline, and tells the job of a service, where
// one asked for the run, that it is worked.
func (s *Service) begun(ctx context.Context, d dbsqlc.Document) error {
	now := s.Clock.Now()
	n, err := s.q.DocumentBegun(ctx, s.Store.Pool(), dbsqlc.DocumentBegunParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Now: now,
	})
	if err != nil {
		return fmt.Errorf("start the document's clock: %w", err)
	}
	if d.RunJobID == nil || n == 0 {
		return nil
	}
	err = s.q.RagJobStarted(ctx, s.Store.Pool(), dbsqlc.RagJobStartedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, JobID: *d.RunJobID, Now: now,
	})
	if err != nil {
		return fmt.Errorf("start the job: %w", err)
	}
	return nil
}

// read has the document's file read and cut. A small one is stored at once; what was read
// of a large one is kept for the slices.
func (s *Service) read(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	f := fileOf(d)
	if f.ObjectKey == nil {
		return errRunOver()
	}
	file, err := s.fetch(ctx, f)
	if err != nil {
		return err
	}
	defer file.Close()
	same, err := s.unchanged(ctx, d, file)
	if err != nil {
		return err
	}
	if same {
		return s.keepIndex(ctx, d, attempt)
	}
	chunks, err := s.temporary()
	if err != nil {
		return err
	}
	defer chunks.Close()
	summary, err := s.parse(ctx, d, parsing.Request{Format: parse.Format(f.Format), File: file.File, Title: f.Title, Chunking: chunking(f)}, chunks)
	if err != nil {
		return err
	}
	size, err := chunks.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = chunks.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("rewind the temporary file: %w", err)
	}
	work := workOf(file.sha256, summary)
	if summary.Chunks > s.SliceChunks || size > sliceBytes {
		return s.storeWork(ctx, d, attempt, work, chunks, size)
	}
	slice, err := s.nextSlice(work, chunks)
	if err != nil {
		return err
	}
	return s.store(ctx, d, attempt, slice)
}

// watchEvery is how often a run is asked whether it is over while its file is read.
const watchEvery = time.Second

// parse has the file read, and ends that soon after the run is over: a document that was
// deleted, or whose project was archived, takes no more of the machine.
func (s *Service) parse(ctx context.Context, d dbsqlc.Document, req parsing.Request, out *os.File) (*chunkfile.Summary, error) {
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-reading.Done():
				return
			case <-ticker.C:
				if isRunOver(s.alive(reading, d)) {
					stop(errRunOver())
				}
			}
		}
	}()
	summary, err := s.Parser.Read(reading, req, out)
	if err != nil && isRunOver(context.Cause(reading)) {
		return nil, context.Cause(reading)
	}
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	return summary, nil
}

// alive fails when the run is over.
func (s *Service) alive(ctx context.Context, d dbsqlc.Document) error {
	n, err := s.q.DocumentProgress(ctx, s.Store.Pool(), dbsqlc.DocumentProgressParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun,
		Stage: "parsing", Progress: shareReading, Now: s.Clock.Now(),
	})
	if err != nil {
		return fmt.Errorf("write progress: %w", err)
	}
	if n == 0 {
		return errRunOver()
	}
	return nil
}
