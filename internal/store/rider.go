package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Rider is a query that shares the round trip of another one. A generated :batchone query that is
// called with a Rider in place of the database only queues itself; Read must then read its row. After
// Alongside, the next query of a PlanPool sends the Rider too. Send sends it alone if there was no such query.
type Rider struct {
	Read func() // reads the result; it is called once, when the result has arrived

	batch   *pgx.Batch
	results riding
	sent    bool
}

type riderKey struct{}

// Alongside returns a context whose first query of a PlanPool sends r too. The queries of the
// context must not run concurrently.
func Alongside(ctx context.Context, r *Rider) context.Context {
	return context.WithValue(ctx, riderKey{}, r)
}

// SendBatch stores the query until it is sent.
func (r *Rider) SendBatch(_ context.Context, batch *pgx.Batch) pgx.BatchResults {
	r.batch = batch
	return &r.results
}

// Send sends the query alone, unless another query has sent it.
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

// rider returns the Rider that the next query of ctx must send, nil for none, and marks it as sent.
func rider(ctx context.Context) *Rider {
	r, ok := ctx.Value(riderKey{}).(*Rider)
	if !ok || r.sent {
		return nil
	}
	r.sent = true
	return r
}

// riding are the results that the generated code reads. The sender of the batch closes it.
type riding struct{ pgx.BatchResults }

// Close leaves the batch open.
func (*riding) Close() error { return nil }

var errRider = errors.New("a Rider takes only batches")

// Exec fails: a Rider takes only generated batch queries.
func (r *Rider) Exec(context.Context, string, ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, errRider
}

// Query fails: a Rider takes only generated batch queries.
func (r *Rider) Query(context.Context, string, ...any) (pgx.Rows, error) { return nil, errRider }

// QueryRow fails: a Rider takes only generated batch queries.
func (r *Rider) QueryRow(context.Context, string, ...any) pgx.Row { return noRow{} }

type noRow struct{}

func (noRow) Scan(...any) error { return errRider }
