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

// Parser reads a file and writes its chunks to out; *parsing.Parser implements it. An error of
// kind InvalidInput or with the code timeout says what is wrong with the file. After any other
// error, reading is tried again.
type Parser interface {
	Read(ctx context.Context, req parsing.Request, out io.Writer) (*chunkfile.Summary, error)
}

// Pages checks addresses and fetches pages; *outbound.Guard implements it. Error for an address
// that it refuses: apperr.Invalid.
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
	TempDir string         // for files while they are read; empty: the system's folder
	// SliceChunks is how many chunks one step stores; 0: a thousand, which take less than a second.
	SliceChunks int
	// SharedPrefix is the prefix of the objects in the bucket that a source may name; empty: none.
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

// errRunOver says that the document is gone or has another current run.
func errRunOver() error {
	return apperr.Conflict(apperr.CodeRunOver, "the document was deleted, timed out or started anew")
}

func isRunOver(err error) bool { return apperr.KindOf(err) == apperr.KindConflict }

// Ingest does the next step of a document whose file is stored: it reads the file, or stores
// a slice of its chunks. One transaction writes the outcome, completes the job and inserts the
// job of the next step, if there is one. Errors: apperr.Conflict if the run is over,
// apperr.KindRateLimited if the disk is full; any other error is temporary.
func (s *Service) Ingest(ctx context.Context, job jobargs.IngestDocument, attempt jobargs.Attempt) error {
	return s.step(ctx, job.DocumentRun, attempt, func(ctx context.Context, d dbsqlc.Document) error {
		if d.Work != nil {
			return s.storeSlice(ctx, d, attempt)
		}
		return s.read(ctx, d, attempt)
	})
}

// FetchPage fetches the page that a document is made of and stores it as the document's file.
// Outcome and errors: as Ingest.
func (s *Service) FetchPage(ctx context.Context, job jobargs.FetchPage, attempt jobargs.Attempt) error {
	return s.step(ctx, job.DocumentRun, attempt, func(ctx context.Context, d dbsqlc.Document) error {
		return s.fetchPage(ctx, d, attempt)
	})
}

// step does one step of the document's run, if run is still the current one. A fault of the file
// fails the document.
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
	if err == nil || isRunOver(err) || errors.Is(ctx.Err(), context.Canceled) { // an interruption is not a fault of the file
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

// begun sets the start from which the document's deadline counts. If a rag client asked for the
// run, it marks the rag job as running.
func (s *Service) begun(ctx context.Context, d dbsqlc.Document) error {
	now := s.Clock.Now()
	n, err := s.q.DocumentBegun(ctx, s.Store.Pool(), dbsqlc.DocumentBegunParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Now: now,
	})
	if err != nil {
		return fmt.Errorf("set the start of the document's deadline: %w", err)
	}
	if d.RunJobID == nil || n == 0 {
		return nil
	}
	err = s.q.RagJobStarted(ctx, s.Store.Pool(), dbsqlc.RagJobStartedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, JobID: *d.RunJobID, Now: now,
	})
	if err != nil {
		return fmt.Errorf("mark the rag job as running: %w", err)
	}
	return nil
}

// read reads the document's file and cuts it into chunks. It stores the chunks of a small file at
// once, and those of a large file as a chunk file, from which later steps store slices.
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

// watchEvery is how often a step checks whether its run is over while it reads the file.
const watchEvery = time.Second

// parse reads the file. It stops soon after the run is over, so that a deleted document, or one of
// an archived project, uses no more processor time.
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

// alive fails if the run is over.
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
