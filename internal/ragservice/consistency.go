package ragservice

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/ingest"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
)

// The limits of a check: how many documents it reads at once, and after how many issues it ends.
const (
	checkPage = 200
	maxIssues = 1000
)

// The kinds of issues.
//
// Source: docs/decisions.md#consistency; missing_vectors is our addition.
const (
	issueMissingChunks  = "missing_chunks"
	issueOrphanChunks   = "orphan_chunks"
	issueStaleVersion   = "stale_version"
	issueMissingObject  = "missing_object"
	issueDimensions     = "dimension_mismatch"
	issueMissingVectors = "missing_vectors"
)

// Issue is a difference between a document and its index or files.
type Issue struct {
	Type       string
	DocumentID string // as rag clients know it
	Detail     string

	documentID string
	remedy     remedy
	object     blob.Object // the stored file, which is not the one that was indexed
}

// remedy is how an issue is repaired.
type remedy int

const (
	remedyNone          remedy = iota // a lost file
	remedyIngest                      // ingest the document again
	remedyReread                      // fetch the document's source again, and ingest it
	remedyAdopt                       // ingest the file that is stored now
	remedyRemove                      // remove chunks of a document that was never indexed
	remedyRemoveOrphans               // remove chunks of no document
)

// Consistency is the result of a check.
type Consistency struct {
	CheckedAt time.Time
	Issues    []Issue // the first thousand
	Repaired  int     // how many of them were repaired
}

// Check compares the documents of a project of any company with their files, chunks and vectors.
// It skips documents that are being ingested, and changes nothing.
//
// Source: docs/decisions.md#consistency.
func (s *Service) Check(ctx context.Context, projectID string) (Consistency, error) {
	ctx, project, err := s.Project(ctx, projectID)
	if err != nil {
		return Consistency{}, err
	}
	return s.check(ctx, project.Project)
}

func (s *Service) check(ctx context.Context, project dbsqlc.Project) (Consistency, error) {
	c := checking{s: s, project: project, found: Consistency{CheckedAt: s.Clock.Now(), Issues: []Issue{}}}
	if err := c.orphans(ctx); err != nil {
		return Consistency{}, fmt.Errorf("check consistency: %w", err)
	}
	model, err := s.q.ConsistencyModel(ctx, s.Store.Pool(), dbsqlc.ConsistencyModelParams{CompanyID: project.CompanyID, ProjectID: project.ProjectID})
	if err != nil && !store.IsNoRows(err) {
		return Consistency{}, fmt.Errorf("find the project's model: %w", err)
	}
	c.model = model.VectorModel
	page := dbsqlc.ConsistencyDocumentsParams{
		CompanyID: project.CompanyID, ProjectID: project.ProjectID, Model: model.VectorModel, Dimensions: model.Dimensions, RowLimit: checkPage,
	}
	for len(c.found.Issues) < maxIssues {
		rows, err := s.q.ConsistencyDocuments(ctx, s.Store.Pool(), page)
		if err != nil {
			return Consistency{}, fmt.Errorf("check consistency: %w", err)
		}
		if err := c.documents(ctx, rows); err != nil {
			return Consistency{}, fmt.Errorf("check consistency: %w", err)
		}
		if len(rows) < checkPage {
			break
		}
		page.AfterDocumentID = rows[len(rows)-1].DocumentID
	}
	c.found.Issues = c.found.Issues[:min(len(c.found.Issues), maxIssues)]
	return c.found, nil
}

// checking is a running check.
type checking struct {
	s       *Service
	project dbsqlc.Project
	model   string // whose vectors answer; empty: none
	found   Consistency
}

func (c *checking) orphans(ctx context.Context) error {
	rows, err := c.s.q.ConsistencyStrayChunks(ctx, c.s.Store.Pool(), dbsqlc.ConsistencyStrayChunksParams{
		CompanyID: c.project.CompanyID, ProjectID: c.project.ProjectID, RowLimit: maxIssues,
	})
	for _, row := range rows {
		c.found.Issues = append(c.found.Issues, Issue{
			Type: issueOrphanChunks, DocumentID: row.DocumentID, documentID: row.DocumentID, remedy: remedyRemoveOrphans,
			Detail: fmt.Sprintf("%d passages belong to no document", row.Chunks),
		})
	}
	return err
}

// documents checks a page of documents.
func (c *checking) documents(ctx context.Context, rows []dbsqlc.ConsistencyDocumentsRow) error {
	if len(rows) == 0 {
		return nil
	}
	stored, err := c.stored(ctx, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		d := documentCheck{checking: c, row: &rows[i]}
		d.files(stored)
		d.passages()
		d.vectors()
	}
	return nil
}

// stored lists the objects of the documents, whose keys begin with the documents' ids. It skips
// objects of other documents.
func (c *checking) stored(ctx context.Context, rows []dbsqlc.ConsistencyDocumentsRow) (map[string]blob.Object, error) {
	first, last := rows[0].DocumentID, rows[0].DocumentID
	for i := range rows {
		first, last = min(first, rows[i].DocumentID), max(last, rows[i].DocumentID)
	}
	prefix := files.OwnPrefix + c.project.CompanyID + "/"
	objects := map[string]blob.Object{}
	for object, err := range c.s.Objects.List(ctx, prefix, prefix+first) {
		if err != nil {
			return nil, err
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(object.Key, prefix), "/")
		if id > last {
			break
		}
		objects[object.Key] = object
	}
	return objects, nil
}

// documentCheck is the check of one document.
type documentCheck struct {
	*checking

	row  *dbsqlc.ConsistencyDocumentsRow
	lost bool // its file is gone, so it cannot be ingested again
}

func (j *documentCheck) report(kind, detail string, by remedy) *Issue {
	if j.lost && by == remedyIngest {
		by = remedyNone
	}
	j.found.Issues = append(j.found.Issues, Issue{
		Type: kind, DocumentID: ExternalID(j.row.DocumentID, j.row.ExternalID), Detail: detail, documentID: j.row.DocumentID, remedy: by,
	})
	return &j.found.Issues[len(j.found.Issues)-1]
}

// files compares the file that the document names with the stored objects.
func (j *documentCheck) files(stored map[string]blob.Object) {
	d := j.row
	page := d.SourceType == ingest.SourceTypeAPI && (d.SourceURL != nil || d.Replacement != nil && d.Replacement.SourceURL != nil)
	missing := func(key *string) bool {
		if key == nil {
			return false
		}
		_, there := stored[*key]
		return !there
	}
	switch {
	case missing(d.ObjectKey), d.Replacement != nil && missing(d.Replacement.ObjectKey),
		d.ObjectKey == nil && !page && d.Replacement == nil:
		by := remedyNone
		if page {
			by = remedyReread
		}
		j.lost = by == remedyNone
		j.report(issueMissingObject, "the stored file is gone", by)
	case d.ObjectKey != nil && d.ObjectEtag != nil && stored[*d.ObjectKey].ETag != *d.ObjectEtag:
		j.report(issueStaleVersion, "the stored file is another one than was taken over", remedyAdopt).object = stored[*d.ObjectKey]
	case d.Replacement != nil && d.Status == "failed":
		j.report(issueStaleVersion, "a newer version could not be indexed", remedyIngest)
	}
}

// passages compares the document's number of chunks with the stored chunks.
func (j *documentCheck) passages() {
	d := j.row
	switch {
	case d.IndexedAt == nil && d.Chunks > 0:
		j.report(issueOrphanChunks, "the document was never indexed and has passages", remedyRemove)
	case d.IndexedAt == nil:
	case d.Chunks == 0:
		j.report(issueMissingChunks, "the document is indexed and has no passages", remedyIngest)
	case d.Chunks < d.ChunkCount:
		j.report(issueMissingChunks, fmt.Sprintf("%d of %d passages are missing", d.ChunkCount-d.Chunks, d.ChunkCount), remedyIngest)
	case d.Chunks > d.ChunkCount:
		j.report(issueOrphanChunks, fmt.Sprintf("there are %d passages more than were indexed", d.Chunks-d.ChunkCount), remedyIngest)
	case d.Terms < d.Chunks:
		j.report(issueMissingChunks, fmt.Sprintf("%d passages cannot be searched", d.Chunks-d.Terms), remedyIngest)
	}
}

// vectors compares the vectors of the chunks with the model that answers.
func (j *documentCheck) vectors() {
	d := j.row
	if j.model == "" || d.IndexedAt == nil {
		return
	}
	if d.Misfits > 0 {
		j.report(issueDimensions, fmt.Sprintf("%d vectors are not of the model's length", d.Misfits), remedyIngest)
	}
	if d.Vectors < d.Chunks && slices.Contains(d.VectorModels, j.model) { // otherwise a job is making them
		j.report(issueMissingVectors, fmt.Sprintf("%d passages have no vector", d.Chunks-d.Vectors), remedyIngest)
	}
}
