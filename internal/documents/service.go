package documents

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/parse"
	"docqa/internal/idempotency"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/outbound"
	"docqa/internal/provider/blob"
	"docqa/internal/search"
	"docqa/internal/store"
)

// Jobs inserts jobs in a transaction. *river.Client[pgx.Tx] is one.
type Jobs interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

// Formats tells which files can be read. *parsing.Parser does. What it refuses is
// apperr.Invalid with the code unsupported_format.
type Formats interface {
	Named(name, contentType string) (parse.Format, error)
	Sniff(name, contentType string, head []byte) (parse.Format, error)
}

// Pages judges addresses and reads what lies there. *outbound.Guard does. What it refuses
// is apperr.Invalid.
type Pages interface {
	CheckPage(ctx context.Context, rawURL string) error
	Open(ctx context.Context, rawURL string) (*outbound.Page, error)
}

// Options are what a Service works with; all but Vectors, Once and SharedPrefix are needed.
type Options struct {
	Store   *store.Store
	Objects *blob.Store
	Jobs    Jobs
	Formats Formats
	Clock   clock.Clock
	Cursors *cursor.Codec
	Pages   Pages
	Vectors *search.Models      // nil: search is by keywords alone
	Once    *idempotency.Keeper // nil: one without a pepper
	// SharedPrefix is where in the bucket the operator puts objects that services may
	// name; empty: nowhere.
	SharedPrefix string
}

// Service answers requests about documents. Every method sees the rows of companyID
// alone, and answers what is not there as apperr.NotFound.
type Service struct {
	Options
	q *dbsqlc.Queries
}

// New returns a Service.
func New(opts Options) *Service {
	if opts.Once == nil {
		opts.Once = idempotency.New(opts.Clock, nil)
	}
	return &Service{Options: opts, q: dbsqlc.New()}
}

// Get returns one document.
func (s *Service) Get(ctx context.Context, companyID, projectID, documentID string) (dbsqlc.Document, error) {
	if !ids.Valid(ids.Document, documentID) {
		return dbsqlc.Document{}, apperr.NotFound()
	}
	row, err := s.q.DocumentGet(ctx, s.Store.Pool(), dbsqlc.DocumentGetParams{
		CompanyID: companyID, ProjectID: projectID, DocumentID: documentID,
	})
	return row, notFound("get document", err)
}

// Counts returns how many of the project's documents stand in each status, and what they hold.
func (s *Service) Counts(ctx context.Context, companyID, projectID string) (dbsqlc.DocumentCountsRow, error) {
	row, err := s.q.DocumentCounts(ctx, s.Store.Pool(), dbsqlc.DocumentCountsParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return row, fmt.Errorf("count documents: %w", err)
	}
	return row, nil
}

// writable refuses a project that is archived, as one that is not there.
func writable(status string) error {
	if status == "archived" {
		return apperr.NotFound()
	}
	return nil
}

// lockWritable takes the project's lock, which orders its changes, and refuses one that
// is archived.
func (s *Service) lockWritable(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	status, err := s.q.ProjectLock(ctx, tx, dbsqlc.ProjectLockParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return notFound("lock project", err)
	}
	return writable(status)
}

// notFound translates a query that found no row, and says what was being done.
func notFound(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case store.IsNoRows(err):
		return apperr.NotFound()
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// notFoundOr is notFound for errors of which some are a client's already.
func notFoundOr(doing string, err error) error {
	if _, ok := errors.AsType[*apperr.Error](err); ok {
		return err
	}
	return notFound(doing, err)
}
