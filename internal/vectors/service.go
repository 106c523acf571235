package vectors

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/clock"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// pageChunks is how many chunks are read, embedded and committed at once: what a killed
// process does again.
const pageChunks = 64

// Jobs inserts jobs in a transaction. River's client does.
type Jobs interface {
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

// Service keeps the vectors of projects whole. Safe for concurrent use.
type Service struct {
	store  *store.Store
	models *Models
	clock  clock.Clock
	q      *dbsqlc.Queries
}

// NewService returns a service that keeps vectors of models in s.
func NewService(s *store.Store, m *Models, c clock.Clock) *Service {
	return &Service{store: s, models: m, clock: c, q: dbsqlc.New()}
}

// Reindexing are the caller's parts of a reindex; each may be nil.
type Reindexing struct {
	// Progress is called after every page with how many of the project's chunks have vectors
	// of the model. Its error ends the work.
	Progress func(ctx context.Context, done, total int) error
	// Finish is called in the transaction of the switch, after it.
	Finish func(ctx context.Context, tx pgx.Tx) error
}

// Reindex gives every chunk of the project a vector of the model, which may be named
// without its digest (empty: the default), and has these answer from then on. Until then
// the vectors before answer. What was made is kept when it is interrupted; called again it
// goes on from there. apperr.Invalid (unknown_model) for a model that the process has not
// got, apperr.Missing for a project that is gone; else as Embed.
func (s *Service) Reindex(ctx context.Context, companyID, projectID, model string, o Reindexing) error {
	full, ok := s.models.Resolve(model)
	if !ok {
		return apperr.Invalid("unknown_model", "this installation has no such embedding model")
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

// Build is Reindex to the model that the project should have: its own where the process
// has it, else the default. Without models it does nothing.
func (s *Service) Build(ctx context.Context, companyID, projectID string, o Reindexing) error {
	state, err := s.q.ProjectVectorModel(ctx, s.store.Pool(), dbsqlc.ProjectVectorModelParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil && !store.IsNoRows(err) {
		return fmt.Errorf("find the project's model: %w", err)
	}
	if model := s.models.For(state.VectorModel); model != "" {
		return s.Reindex(ctx, companyID, projectID, model, o)
	}
	return nil
}

// projectsPage bounds the projects whose jobs are inserted at once.
const projectsPage = 500

// BuildAll inserts a job for every project, of any company, that no model of this process
// answers for, or not for every chunk.
func (s *Service) BuildAll(ctx context.Context, jobs Jobs) error {
	if s.models.Default() == "" {
		return nil
	}
	ctx = store.AsSystem(ctx, "models serve every company")
	page := dbsqlc.ProjectsLackingVectorsParams{Models: s.models.Names(), RowLimit: projectsPage}
	for {
		rows, err := s.q.ProjectsLackingVectors(ctx, s.store.Pool(), page)
		if err != nil {
			return fmt.Errorf("find projects without vectors: %w", err)
		}
		if len(rows) == 0 {
			return nil
		}
		inserts := make([]river.InsertManyParams, len(rows))
		for i, row := range rows {
			inserts[i].Args = jobargs.BuildVectors{CompanyID: row.CompanyID, ProjectID: row.ProjectID}
			page.AfterCompanyID, page.AfterProjectID = row.CompanyID, row.ProjectID
		}
		err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			_, err := jobs.InsertManyTx(ctx, tx, inserts)
			return err
		})
		if err != nil {
			return fmt.Errorf("insert jobs for vectors: %w", err)
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
	total, done, err := r.count(ctx)
	if err != nil {
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
		done += len(rows)
		if r.Progress != nil {
			if err := r.Progress(ctx, min(done, total), total); err != nil {
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

// page reads some chunks and commits their vectors.
func (r *reindex) page(ctx context.Context, rows []dbsqlc.ChunkVectorsMissingRow) error {
	pieces, chunkIDs := make([]Piece, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		pieces[i] = Piece{Title: row.Title, HeadingPath: row.HeadingPath, Context: row.Context, Body: row.Body}
		chunkIDs[i] = row.ChunkID
	}
	readings, err := r.models.Read(ctx, r.model, pieces, nil)
	if err != nil {
		return err
	}
	return r.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return Insert(ctx, tx, Rows{CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model, ChunkIDs: chunkIDs, Readings: readings})
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

// Rows are vectors of chunks of one project.
type Rows struct {
	CompanyID, ProjectID, Model string

	ChunkIDs []int64
	Readings []Reading // one for each chunk
}

// Insert stores r. Chunks that are gone by now are left out.
func Insert(ctx context.Context, tx pgx.Tx, r Rows) error {
	q := dbsqlc.New()
	whole := make([]dbsqlc.ChunkVectorsInsertParams, len(r.ChunkIDs))
	parts := make([]dbsqlc.ChunkSentencesInsertParams, len(r.ChunkIDs))
	for i, id := range r.ChunkIDs {
		whole[i] = dbsqlc.ChunkVectorsInsertParams{
			CompanyID: r.CompanyID, ProjectID: r.ProjectID, Model: r.Model, ChunkID: id,
			Embedding: pgvector.NewHalfVector(r.Readings[i].Chunk),
		}
		parts[i] = dbsqlc.ChunkSentencesInsertParams{
			CompanyID: r.CompanyID, ProjectID: r.ProjectID, Model: r.Model, ChunkID: id, Vectors: r.Readings[i].Sentences,
		}
	}
	if err := execAll(q.ChunkVectorsInsert(ctx, tx, whole)); err != nil {
		return fmt.Errorf("insert vectors: %w", err)
	}
	if err := execAll(q.ChunkSentencesInsert(ctx, tx, parts)); err != nil {
		return fmt.Errorf("insert vectors of sentences: %w", err)
	}
	return nil
}

// execAll runs a batch and returns its first error.
func execAll(batch interface{ Exec(f func(int, error)) }) (first error) {
	batch.Exec(func(_ int, err error) {
		if first == nil {
			first = err
		}
	})
	return first
}
