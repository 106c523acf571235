package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Rider is a query that goes along with another one, in its round trip. It takes the place
// of the database when a generated :batchone query is called: that queues the query and
// returns how its row is read, which Read must call. Then Alongside gives it to the next
// query of a Planned pool, and Send sends it by itself where there was none.
type Rider struct {
	Read func() // reads the result, once, when it is there

	batch   *pgx.Batch
	results riding
	sent    bool
}

type riderKey struct{}

// Alongside returns a context whose first query of a Planned pool takes r along. The
// queries of ctx must not run at the same time.
func Alongside(ctx context.Context, r *Rider) context.Context {
	return context.WithValue(ctx, riderKey{}, r)
}

// SendBatch keeps the query.
func (r *Rider) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	r.batch = batch
	return &r.results
}

// Send sends the query by itself, unless it went along with another one.
func (r *Rider) Send(ctx context.Context, pool Pool) {
	if r.sent {
		return
	}
	r.sent = true
	results := pool.SendBatch(ctx, r.batch)
	r.read(results)
	_ = results.Close()
}

func (r *Rider) read(results pgx.BatchResults) {
	r.results.BatchResults = results
	r.Read()
}

// rider returns the query that is to go along with the next one of ctx, nil for none.
func rider(ctx context.Context) *Rider {
	r, ok := ctx.Value(riderKey{}).(*Rider)
	if !ok || r.sent {
		return nil
	}
	r.sent = true
	return r
}

// riding are the results that the generated code reads. The batch that they are part of
// is closed by who sent it.
type riding struct{ pgx.BatchResults }

// Close leaves the batch open.
func (*riding) Close() error { return nil }

var errRider = errors.New("a rider takes batches alone")

// Exec refuses: only generated batch queries go along.
func (r *Rider) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errRider
}

// Query refuses: only generated batch queries go along.
func (r *Rider) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errRider }

// QueryRow refuses: only generated batch queries go along.
func (r *Rider) QueryRow(context.Context, string, ...any) pgx.Row { return noRow{} }

type noRow struct{}

func (noRow) Scan(...any) error { return errRider }
