package dbtest

import (
	"context"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Trips notes the round trips of a store: it is the tracer of store.Options. Each is the
// names of the queries that it sent together, joined by a plus; what binds a connection to its company has
// none. Safe for concurrent use.
type Trips struct{ record[string] }

// TraceQueryStart notes a query that is sent by itself.
func (t *Trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	t.note(data.SQL)
	return ctx
}

// TraceQueryEnd does nothing.
func (t *Trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart notes queries that are sent together.
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
