package ragservice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/idempotency"
	"docqa/internal/ingest"
	"docqa/internal/outbox"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/panics"
	"docqa/internal/store"
)

// atOnce is how many sources of one call are checked or copied at a time.
const atOnce = 8

// IngestResult says what a call of a rag client has started.
type IngestResult struct {
	JobID     string
	Documents []string // those that were accepted, by their ExternalID, in the order of the call
	Rejected  []Rejected
	Replayed  bool // an earlier call with the same idempotency key began it
}

// Rejected is a source that a rule refuses.
type Rejected struct {
	Index   int // place in the call
	Code    string
	Message string
}

// Ingest brings one document into a project of any company: a new one, or another content
// for the one that the caller knows by in.ID, whose old content answers until the new
// one is indexed. Ingest stores the content, except for that of a URL, which the worker fetches.
// Errors: NotFound for an unknown or archived project; apperr.Invalid and apperr.Forbidden as
// the contract says for ragIngest; apperr.Conflict idempotency_mismatch and not_ready.
//
// Source: main API section 4.13; docs/decisions.md#retrieval-documents.
func (s *Service) Ingest(ctx context.Context, projectID string, in ingest.Source, idempotencyKey string) (IngestResult, error) {
	if err := in.CheckForm(""); err != nil {
		return IngestResult{}, err
	}
	return s.ingest(ctx, projectID, ingestRequest{kind: "ingest", sources: []ingest.Source{in}, key: idempotencyKey})
}

// IngestBatch is Ingest for up to 50 documents with one job. Refused sources are in Rejected and
// do not stop the others.
func (s *Service) IngestBatch(ctx context.Context, projectID string, in []ingest.Source, idempotencyKey string) (IngestResult, error) {
	in = slices.Clone(in)
	for i := range in {
		if err := in[i].CheckForm(fmt.Sprintf("/documents/%d", i)); err != nil {
			return IngestResult{}, err
		}
	}
	return s.ingest(ctx, projectID, ingestRequest{kind: "batch", sources: in, key: idempotencyKey})
}

// ingestRequest is one call of a rag client.
type ingestRequest struct {
	kind    string // of the job: ingest or batch
	sources []ingest.Source
	key     string // the idempotency key; empty: none
	items   []item
}

// item is a source on its way to a document.
type item struct {
	ingest.Content

	index      int
	externalID *string // nil where the caller gave none
	id         string  // what the caller calls the document by
	documentID string  // ours; the one that is there, or a fresh one
	replaces   bool    // it was there
	objectKey  string
	refused    *apperr.Error
}

// errMoved says that another call has changed which document an id names.
var errMoved = errors.New("the document changed meanwhile")

func (s *Service) ingest(ctx context.Context, projectID string, t ingestRequest) (IngestResult, error) {
	ctx, project, err := s.projectForIngest(ctx, projectID)
	if err != nil {
		return IngestResult{}, err
	}
	if result, ok, err := idempotency.Find[IngestResult](ctx, s.Store.Pool(), s.Once, t.request(project)); err != nil || ok {
		result.Replayed = ok
		return result, err
	}
	for range 3 {
		if err := s.prepare(ctx, project, &t); err != nil {
			return IngestResult{}, err
		}
		if t.kind == "ingest" && t.items[0].refused != nil {
			return IngestResult{}, t.items[0].refused
		}
		result, err := s.accept(ctx, project, &t)
		if !errors.Is(err, errMoved) {
			return result, err
		}
	}
	return IngestResult{}, apperr.Conflict(apperr.CodeVersionConflict, "another call replaces the document at the same time")
}

// projectForIngest is writableProject for a company that may add documents.
func (s *Service) projectForIngest(ctx context.Context, projectID string) (context.Context, dbsqlc.Project, error) {
	ctx, project, err := s.writableProject(ctx, projectID)
	if err != nil {
		return ctx, project, err
	}
	company, err := s.q.CompanyGet(ctx, s.Store.Pool(), project.CompanyID)
	if err == nil && company.Status == "suspended" {
		err = apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	if err == nil {
		err = planlimit.CheckProject(ctx, s.Store.Pool(), project.CompanyID, projectID)
	}
	return ctx, project, store.RowError("get company", err)
}

// prepare validates the sources and copies their content to keys of ours. A job removes the
// objects that no document names later.
func (s *Service) prepare(ctx context.Context, project dbsqlc.Project, t *ingestRequest) error {
	t.items = make([]item, len(t.sources))
	err := s.each(ctx, t, func(ctx context.Context, it *item) error {
		in := &t.sources[it.index]
		if err := s.resolveDocument(ctx, project, in, it); err != nil {
			return err
		}
		var err error
		it.Content, err = s.Ingestion.ValidateSource(ctx, in)
		return err
	})
	if err != nil {
		return err
	}
	t.refuseRepeated()
	if err := s.scheduleOrphanCleanup(ctx, project, t); err != nil {
		return fmt.Errorf("prepare the files: %w", err)
	}
	return s.each(ctx, t, func(ctx context.Context, it *item) error {
		if it.objectKey == "" {
			return nil
		}
		return s.Ingestion.StoreContent(ctx, &it.Content, it.objectKey)
	})
}

// each runs f for every item that is not refused, several at a time. An error that is the caller's
// fault refuses the item; any other error ends the call.
func (s *Service) each(ctx context.Context, t *ingestRequest, f func(context.Context, *item) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i := range t.items {
		it := &t.items[i]
		it.index = i
		if it.refused != nil {
			continue
		}
		g.Go(func() error { return it.refuse(panics.Catch(func() error { return f(ctx, it) })) })
	}
	return g.Wait()
}

// refuse stores err in the item if it is the caller's fault, and returns it otherwise.
func (it *item) refuse(err error) error {
	e, ok := errors.AsType[*apperr.Error](err)
	if ok && (e.Kind == apperr.KindInvalidInput || e.Kind == apperr.KindForbidden || e.Kind == apperr.KindConflict) {
		it.refused = e
		return nil
	}
	return err
}

// resolveDocument finds the document that the source replaces, or makes a new id.
func (s *Service) resolveDocument(ctx context.Context, project dbsqlc.Project, in *ingest.Source, it *item) error {
	it.documentID = ids.New(ids.Document)
	it.id = it.documentID
	if in.ID == "" {
		return nil
	}
	it.id, it.externalID = in.ID, &in.ID
	there, err := s.find(ctx, project.ProjectID, in.ID)
	switch {
	case apperr.KindOf(err) == apperr.KindNotFound:
		return checkID(in.ID)
	case err != nil:
		return err
	}
	it.documentID, it.replaces = there.DocumentID, true
	if in.ID == there.DocumentID {
		it.externalID = nil // ours, as we have answered it
	}
	return nil
}

// refuseRepeated refuses a source that names the same document as an earlier source of the call.
// An existing document has two ids, the caller's and ours; a new one has only the caller's.
// Sources that were refused before do not count.
func (t *ingestRequest) refuseRepeated() {
	seen := map[string]bool{}
	for i := range t.items {
		it := &t.items[i]
		switch {
		case it.refused != nil:
		case seen[it.id], seen[it.documentID]:
			it.refused = apperr.Invalid(apperr.CodeDuplicateDocument, "the request names this document before")
		default:
			seen[it.id], seen[it.documentID] = true, true
		}
	}
}

// scheduleOrphanCleanup chooses the keys and inserts the jobs that remove the objects that no
// document names later.
func (s *Service) scheduleOrphanCleanup(ctx context.Context, project dbsqlc.Project, t *ingestRequest) error {
	var inserts []river.InsertManyParams
	at := s.Clock.Now().Add(files.UnclaimedAfter)
	for i := range t.items {
		it := &t.items[i]
		if it.refused != nil || it.Copy == nil {
			continue
		}
		d := dbsqlc.Document{CompanyID: project.CompanyID, ProjectID: project.ProjectID, DocumentID: it.documentID}
		it.objectKey = files.OwnKey(d)
		inserts = append(inserts, files.Removals(d, at, it.objectKey)...)
	}
	if len(inserts) == 0 {
		return nil
	}
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.Jobs.InsertManyTx(ctx, tx, inserts)
		return err
	})
}

// request is the call as one that may be repeated.
func (t *ingestRequest) request(project dbsqlc.Project) idempotency.Request {
	return idempotency.Request{CompanyID: project.CompanyID, Scope: "rag_" + t.kind + ":" + project.ProjectID, Key: t.key, Body: t.sources}
}

// accept writes the documents, their job and the answer for a repeated call in one transaction.
func (s *Service) accept(ctx context.Context, project dbsqlc.Project, t *ingestRequest) (result IngestResult, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
		var replayed bool
		result, replayed, err = idempotency.Once(ctx, tx, s.Once, t.request(project), func() (IngestResult, error) { return s.acceptOnce(ctx, tx, project, t) })
		result.Replayed = replayed
		return err
	})
	if store.IsUniqueViolation(err, "documents_external_id_key") {
		err = errMoved
	}
	if err != nil {
		return IngestResult{}, fmt.Errorf("ingest documents: %w", err)
	}
	return result, nil
}

// acceptOnce writes the documents and their job. It takes the company's lock first, so that two
// calls that replace the same documents follow each other. It does not lock the project, because
// an ingestion that ends holds its document while it waits for the project.
func (s *Service) acceptOnce(ctx context.Context, tx pgx.Tx, project dbsqlc.Project, t *ingestRequest) (IngestResult, error) {
	free, err := planlimit.LockStorage(ctx, tx, project.CompanyID)
	if err != nil {
		return IngestResult{}, err
	}
	a := accepting{s: s, tx: tx, project: project, jobID: ids.New(ids.Job), free: free}
	if err := a.lock(ctx, t.items); err != nil {
		return IngestResult{}, err
	}
	for i := range t.items {
		it := &t.items[i]
		if it.refused != nil {
			continue
		}
		if err := it.refuse(a.document(ctx, it)); err != nil {
			return IngestResult{}, err
		}
		if it.refused != nil && t.kind == "ingest" {
			return IngestResult{}, it.refused
		}
	}
	if err := a.finish(ctx, t.kind); err != nil {
		return IngestResult{}, err
	}
	return t.outcome(a.jobID), nil
}

// outcome lists what was accepted and what was not.
func (t *ingestRequest) outcome(jobID string) IngestResult {
	result := IngestResult{JobID: jobID, Documents: []string{}, Rejected: []Rejected{}}
	for i := range t.items {
		it := &t.items[i]
		if it.refused != nil {
			result.Rejected = append(result.Rejected, Rejected{Index: i, Code: string(it.refused.Code), Message: it.refused.Message})
			continue
		}
		result.Documents = append(result.Documents, it.id)
	}
	return result
}

// accepting is the transaction that accepts documents.
type accepting struct {
	s       *Service
	tx      pgx.Tx
	project dbsqlc.Project
	jobID   string
	free    int64                      // bytes left in the plan's storage
	there   map[string]dbsqlc.Document // the existing documents, by each of their ids
	inserts []river.InsertManyParams
	count   int32
}

// lock locks all existing documents before the first one is written.
func (a *accepting) lock(ctx context.Context, items []item) error {
	named := make([]string, 0, len(items))
	for i := range items {
		named = append(named, items[i].id)
	}
	rows, err := a.s.q.DocumentsOfClient(ctx, a.tx, dbsqlc.DocumentsOfClientParams{
		CompanyID: a.project.CompanyID, ProjectID: a.project.ProjectID, Ids: named,
	})
	if err != nil {
		return fmt.Errorf("lock documents: %w", err)
	}
	a.there = make(map[string]dbsqlc.Document, len(rows))
	for _, d := range rows {
		a.there[d.DocumentID] = d
		a.there[ExternalID(d.DocumentID, d.ExternalID)] = d
	}
	return nil
}

// document creates the item's document, or gives the existing one its replacement. It refuses an
// item before it writes anything.
func (a *accepting) document(ctx context.Context, it *item) error {
	d, there := a.there[it.id]
	var err error
	switch {
	case there != it.replaces, there && d.DocumentID != it.documentID:
		return errMoved
	case there:
		d, err = a.replace(ctx, it, d)
	default:
		d, err = a.create(ctx, it)
	}
	if err != nil {
		return err
	}
	a.count++
	a.inserts = append(a.inserts, river.InsertManyParams{Args: ingest.FirstStep(d)})
	return nil
}

func (a *accepting) create(ctx context.Context, it *item) (dbsqlc.Document, error) {
	if a.free <= 0 || it.File.SizeBytes > a.free {
		return dbsqlc.Document{}, planlimit.StorageFull()
	}
	f, now := it.File, a.s.Clock.Now()
	d, err := a.s.q.DocumentIngest(ctx, a.tx, dbsqlc.DocumentIngestParams{
		CompanyID: a.project.CompanyID, ProjectID: a.project.ProjectID, DocumentID: it.documentID, ExternalID: it.externalID,
		Filename: f.Filename, Title: f.Title, ContentType: f.ContentType, Format: f.Format, SourceURL: f.SourceURL,
		ObjectKey: f.ObjectKey, ObjectEtag: f.ObjectETag, SizeBytes: f.SizeBytes, Metadata: f.Metadata,
		ChunkSize: f.ChunkSize, ChunkOverlap: f.ChunkOverlap, RunJobID: a.jobID, Now: now,
	})
	if err != nil {
		return d, fmt.Errorf("add document: %w", err)
	}
	a.free -= f.SizeBytes
	return d, outbox.Record(ctx, a.tx, d.CompanyID, outbox.OfDocument(&d, outbox.DocumentUploaded, d.Filename+" was added", now))
}

func (a *accepting) replace(ctx context.Context, it *item, d dbsqlc.Document) (dbsqlc.Document, error) {
	if d.Status == "pending" {
		return d, apperr.Conflict(apperr.CodeNotReady, "the document waits for its upload")
	}
	waiting := replacementSize(d)
	if a.free+waiting+d.SizeBytes <= 0 || it.File.SizeBytes > a.free+waiting+d.SizeBytes {
		return d, planlimit.StorageFull()
	}
	if d.Replacement != nil && d.Replacement.ObjectKey != nil { // overtaken before it was indexed
		a.inserts = append(a.inserts, files.Removals(d, time.Time{}, *d.Replacement.ObjectKey)...)
	}
	now := a.s.Clock.Now()
	d, err := a.s.q.DocumentReplace(ctx, a.tx, dbsqlc.DocumentReplaceParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Replacement: &it.File, RunJobID: a.jobID, Now: now,
	})
	if err != nil {
		return d, fmt.Errorf("replace document: %w", err)
	}
	a.free += waiting - it.File.SizeBytes
	return d, outbox.Record(ctx, a.tx, d.CompanyID, outbox.OfDocument(&d, outbox.DocumentReplaced, d.Filename+" is being replaced", now))
}

func replacementSize(d dbsqlc.Document) int64 {
	if d.Replacement == nil {
		return 0
	}
	return d.Replacement.SizeBytes
}

// finish creates the rag job and inserts the jobs of the documents.
func (a *accepting) finish(ctx context.Context, kind string) error {
	err := a.s.q.RagJobCreate(ctx, a.tx, dbsqlc.RagJobCreateParams{
		CompanyID: a.project.CompanyID, ProjectID: a.project.ProjectID, JobID: a.jobID, Type: kind, Total: a.count, Now: a.s.Clock.Now(),
	})
	if err != nil {
		return fmt.Errorf("create job: %w", err)
	}
	if len(a.inserts) == 0 {
		return nil
	}
	if _, err := a.s.Jobs.InsertManyTx(ctx, a.tx, a.inserts); err != nil {
		return fmt.Errorf("insert jobs: %w", err)
	}
	return nil
}
