package documents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/chunk"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/jobs/jobargs"
)

// The shares of a run that are done when the stages begin.
const (
	shareChunking  = 0.3
	shareEmbedding = 0.35
	shareStoring   = 0.95
)

// embedUntil is how long after the start of its run, waiting included, a document may
// wait for its vectors. What cannot keep to it is stored with its words alone, answers
// from then on, and gets its vectors by a job of the project: a large sync must neither
// pass the published deadline of 15 minutes nor keep its documents from being found.
const (
	embedUntil   = 10 * time.Minute
	embedPerPage = 5 * time.Second
)

var (
	// errLate says that there is no time left for vectors.
	errLate = errors.New("no time is left for vectors")
	// errModelSwitched says that the vectors were made for a model that answers no longer.
	errModelSwitched = errors.New("the project's model was switched")
)

// embeddingError is a failure to make vectors.
type embeddingError struct{ err error }

func (e *embeddingError) Error() string { return "make vectors: " + e.err.Error() }
func (e *embeddingError) Unwrap() error { return e.err }

// embed makes the vectors of the chunks by the project's model, or leaves them out where
// there is none or no time.
func (g *Ingester) embed(ctx context.Context, d dbsqlc.Document, steps *progress, found *indexed) error {
	state, err := g.vectorModel(ctx, g.Store.Pool(), d)
	if err != nil {
		return err
	}
	found.readings, found.model = nil, g.Vectors.For(state.VectorModel)
	if found.model == "" {
		return nil
	}
	until := embedDeadline(d, found.pages)
	done := func(n int) error {
		if g.Clock.Now().After(until) {
			return errLate
		}
		share := shareEmbedding + (shareStoring-shareEmbedding)*float32(n)/float32(len(found.chunks))
		return steps.report(ctx, "embedding", share, found.pages)
	}
	if err = done(0); err == nil {
		found.readings, err = g.Vectors.Read(ctx, found.model, pieces(found.chunks), done)
	}
	switch {
	case errors.Is(err, errLate):
		g.Logger.InfoContext(ctx, "vectors are left to a job", slog.String("document_id", d.DocumentID))
		found.readings, found.model = nil, ""
		return nil
	case err != nil && !isRunOver(err):
		return &embeddingError{err: err}
	}
	return err
}

func embedDeadline(d dbsqlc.Document, pages *int32) time.Time {
	until := embedUntil
	if pages != nil {
		until += time.Duration(*pages) * embedPerPage
	}
	if d.ProcessingStartedAt == nil {
		return time.Time{}
	}
	return d.ProcessingStartedAt.Add(until)
}

func pieces(chunks []chunk.Chunk) []vectors.Piece {
	out := make([]vectors.Piece, len(chunks))
	for i, c := range chunks {
		out[i] = vectors.Piece{Title: c.Title, HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text}
	}
	return out
}

// vectorModel reads whose vectors answer questions of the document's project.
func (g *Ingester) vectorModel(ctx context.Context, db dbsqlc.DBTX, d dbsqlc.Document) (dbsqlc.ProjectVectorModelRow, error) {
	state, err := g.q.ProjectVectorModel(ctx, db, dbsqlc.ProjectVectorModelParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID})
	if err != nil && !store.IsNoRows(err) {
		return state, fmt.Errorf("find the project's model: %w", err)
	}
	return state, nil
}

// adopt settles, under the project's lock, what the chunks that were just stored mean for
// its vectors: the first ones choose the project's model; those without a vector of it are
// left to a job.
func (g *Ingester) adopt(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, found indexed) error {
	state, err := g.vectorModel(ctx, tx, d)
	if err != nil {
		return err
	}
	first := state.VectorModel == "" && int(state.LiveChunks) == len(found.chunks)
	switch {
	case found.model == state.VectorModel && (found.model != "" || g.Vectors.Default() == ""):
		return nil
	case found.model != "" && first:
		return g.q.ProjectVectorModelSet(ctx, tx, dbsqlc.ProjectVectorModelSetParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, Model: found.model, Now: g.Clock.Now(),
		})
	case found.model != "" && g.Vectors.Has(state.VectorModel):
		return errModelSwitched
	}
	err = g.q.ProjectVectorsPartial(ctx, tx, dbsqlc.ProjectVectorsPartialParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID})
	if err != nil {
		return fmt.Errorf("note the missing vectors: %w", err)
	}
	_, err = g.Jobs.InsertManyTx(ctx, tx, []river.InsertManyParams{
		{Args: jobargs.BuildVectors{CompanyID: d.CompanyID, ProjectID: d.ProjectID}},
	})
	return err
}
