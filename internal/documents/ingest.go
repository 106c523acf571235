package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/clock"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/jobs/jobargs"
)

// Parser reads a file. *parsing.Parser does. apperr.Invalid, or the code timeout, says
// what is wrong with the file, any other error that reading should be tried again.
type Parser interface {
	Parse(ctx context.Context, format parse.Format, file io.Reader) (*doc.Document, error)
}

// IngesterOptions are what an Ingester works with; all but TempDir and Vectors are needed.
type IngesterOptions struct {
	Store   *store.Store
	Objects *blob.Store
	Jobs    Jobs
	Formats Formats
	Pages   Pages
	Clock   clock.Clock
	Parser  Parser
	Logger  *slog.Logger
	Vectors *vectors.Models // nil: search is by keywords alone
	TempDir string          // where files lie while they are read; empty: the system's folder
}

// Ingester reads documents and makes them searchable.
type Ingester struct {
	IngesterOptions
	q       *dbsqlc.Queries
	settler settler
}

// NewIngester returns an Ingester.
func NewIngester(opts IngesterOptions) *Ingester {
	q := dbsqlc.New()
	return &Ingester{IngesterOptions: opts, q: q, settler: settler{q: q, clock: opts.Clock}}
}

// Attempt is one attempt of a job to ingest.
type Attempt struct {
	// Claim is called first in the transaction that holds the outcome. It makes sure that
	// no other attempt is or was faster, and completes the job.
	Claim func(ctx context.Context, tx pgx.Tx) error
	// Last says that a fault which might pass fails the document, since nobody tries again.
	Last bool
	// Exhausted says that all attempts ended without a word: the process died each time.
	Exhausted bool
}

// errRunOver says that the document is gone or that its run is another one by now.
func errRunOver() error {
	return apperr.Conflict("run_over", "the document was deleted, timed out or started anew")
}

func isRunOver(err error) bool { return apperr.KindOf(err) == apperr.ConflictState }

// Ingest reads the document's file, cuts and indexes it. The outcome, chunks or the
// fault that the file has, is written in one transaction with the job's completion.
// apperr.Conflict when the run is over; any other error: try again.
func (g *Ingester) Ingest(ctx context.Context, job jobargs.IngestDocument, attempt Attempt) error {
	d, err := g.q.DocumentGet(ctx, g.Store.Pool(), dbsqlc.DocumentGetParams{
		CompanyID: job.CompanyID, ProjectID: job.ProjectID, DocumentID: job.DocumentID,
	})
	switch {
	case store.IsNoRows(err), err == nil && (d.Status != "processing" || d.IngestRun != job.Run):
		return errRunOver()
	case err != nil:
		return fmt.Errorf("get document: %w", err)
	case attempt.Exhausted:
		return g.fail(ctx, d, attempt, fault{code: "interrupted", message: "the ingestion was interrupted too often", retryable: true})
	}
	if err := g.begun(ctx, d); err != nil {
		return err
	}
	err = g.ingest(ctx, d, attempt)
	if err == nil || isRunOver(err) || errors.Is(ctx.Err(), context.Canceled) { // interrupted: that is no fault of the file
		return err
	}
	if f, ok := faultOf(err); ok {
		return g.fail(ctx, d, attempt, f)
	}
	if attempt.Last {
		g.Logger.ErrorContext(ctx, "ingestion given up", slog.String("document_id", d.DocumentID), slog.Any("error", err))
		return g.fail(ctx, d, attempt, lastFault(err))
	}
	return err
}

// begun starts the clock of the run's deadline, and tells the job of a service, where
// one asked for the run, that it is worked.
func (g *Ingester) begun(ctx context.Context, d dbsqlc.Document) error {
	now := g.Clock.Now()
	err := g.q.DocumentBegun(ctx, g.Store.Pool(), dbsqlc.DocumentBegunParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Now: now,
	})
	if err != nil {
		return fmt.Errorf("start the document's clock: %w", err)
	}
	if d.RunJobID == nil {
		return nil
	}
	err = g.q.RagJobStarted(ctx, g.Store.Pool(), dbsqlc.RagJobStartedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, JobID: *d.RunJobID, Now: now,
	})
	if err != nil {
		return fmt.Errorf("start the job: %w", err)
	}
	return nil
}

func (g *Ingester) ingest(ctx context.Context, d dbsqlc.Document, attempt Attempt) error {
	d, file, err := g.obtain(ctx, d)
	if err != nil {
		return err
	}
	defer file.Close()
	same, err := g.unchanged(ctx, d, file)
	if err != nil {
		return err
	}
	if same {
		return g.keepIndex(ctx, d, attempt)
	}
	steps, read := g.progress(d), fileOf(d)
	text, err := g.Parser.Parse(ctx, parse.Format(read.Format), file.File)
	if err != nil {
		return fmt.Errorf("parse: %w", err)
	}
	if err := steps.report(ctx, "chunking", shareChunking, pageCount(text)); err != nil {
		return err
	}
	chunks := chunk.Split(text, read.Title, chunking(read))
	if len(chunks) == 0 {
		return apperr.Invalid(parse.CodeNoText, parse.NoText().Message)
	}
	found := index(text, chunks)
	found.sha256, found.pages = file.sha256, pageCount(text)
	for {
		if err := g.embed(ctx, d, steps, &found); err != nil {
			return err
		}
		if err := steps.report(ctx, "storing", shareStoring, found.pages); err != nil {
			return err
		}
		// Vectors that a reindex has overtaken are made anew, by the model that answers now.
		if err := g.store(ctx, d, attempt, found); !errors.Is(err, errModelSwitched) {
			return err
		}
	}
}

// pageCount is nil for a file without pages.
func pageCount(text *doc.Document) *int32 {
	if !text.Paged() {
		return nil
	}
	n := int32(len(text.Pages))
	return &n
}

// reportEvery keeps short ingestions from costing a commit for each step.
const reportEvery = 500 * time.Millisecond

// progress writes how far a run is.
type progress struct {
	g    *Ingester
	d    dbsqlc.Document
	last time.Time
}

func (g *Ingester) progress(d dbsqlc.Document) *progress {
	return &progress{g: g, d: d, last: g.Clock.Now()}
}

// report writes the stage that begins and the share that is done, where the stage
// before took notably long. It fails when the run is over, so that no more is done for it.
func (p *progress) report(ctx context.Context, stage string, share float32, pages *int32) error {
	now := p.g.Clock.Now()
	if now.Sub(p.last) < reportEvery {
		return nil
	}
	p.last = now
	n, err := p.g.q.DocumentProgress(ctx, p.g.Store.Pool(), dbsqlc.DocumentProgressParams{
		CompanyID: p.d.CompanyID, ProjectID: p.d.ProjectID, DocumentID: p.d.DocumentID, Run: p.d.IngestRun,
		Stage: stage, Progress: share, PageCount: pages, Now: now,
	})
	if err != nil {
		return fmt.Errorf("write progress: %w", err)
	}
	if n == 0 {
		return errRunOver()
	}
	return nil
}
