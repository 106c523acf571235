package dbtest

import (
	"context"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Trips records the round trips of a store. It is a tracer for store.Options. Each entry holds
// the names of the queries that were sent together, joined by a plus. The statement that binds
// a connection to its company has no name. Safe for concurrent use.
type Trips struct{ record[string] }

// TraceQueryStart records a query that is sent alone.
func (t *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t.note(data.SQL)
	return ctx
}

// TraceQueryEnd does nothing.
func (t *Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart records queries that are sent together.
func (t *Trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	statements := make([]string, len(data.Batch.QueuedQueries))
	for i, q := range data.Batch.QueuedQueries {
		statements[i] = q.SQL
	}
	t.note(statements...)
	return ctx
}

// TraceBatchQuery does nothing.
func (t *Trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd does nothing.
func (t *Trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

var queryName = regexp.MustCompile(`^-- name: (\w+)`)

func (t *Trips) note(statements ...string) {
	var names []string
	for _, statement := range statements {
		if match := queryName.FindStringSubmatch(statement); match != nil {
			names = append(names, match[1])
		}
	}
	if len(names) == 0 {
		return
	}
	t.add(strings.Join(names, "+"))
}
