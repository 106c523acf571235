package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bind binds a connection to a company, and its statements to their time, for as long as it
// serves it.
const bind = "select set_config('app.company_id', $1, false), set_config('statement_timeout', $2, false)"

// bindTx binds a transaction in the same way. With its end, whichever that is, the connection
// is what it was before.
const bindTx = "select set_config('app.company_id', $1, true), set_config('statement_timeout', $2, true)"

// Pool is a pool whose connections see the rows of the context's company alone. Where a
// connection served another company before, the setting goes in front of the statement, in the
// same round trip, and both succeed or fail together.
//
// What it does not overwrite of pgxpool.Pool spends a round trip on the setting (prepareConn).
type Pool struct{ *pgxpool.Pool }

// acquire takes a connection. to is what it still has to be bound to, in front of the first
// statement; nil where it is bound already.
func (p Pool) acquire(ctx context.Context) (conn *pgxpool.Conn, to *binding, err error) {
	var later pending
	conn, err = p.Acquire(context.WithValue(ctx, pendingKey{}, &later))
	return conn, later.to, err
}

// Query sends a query.
func (p Pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if hasOption(args) {
		return p.Pool.Query(ctx, sql, args...)
	}
	conn, to, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	if to == nil {
		rows, err := conn.Query(ctx, sql, args...)
		if err != nil {
			conn.Release()
			return nil, err
		}
		return &boundRows{Rows: rows, end: func() error { conn.Release(); return nil }}, nil
	}
	batch := &pgx.Batch{}
	batch.Queue(sql, args...)
	results := send(ctx, conn, to, batch)
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return &boundRows{Rows: rows, end: results.Close}, nil
}

// QueryRow sends a query of which one row is read.
func (p Pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := p.Query(ctx, sql, args...)
	return boundRow{rows, err}
}

// Exec sends a statement. Without arguments it may be several ones, which cannot share a round
// trip with the setting.
func (p Pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if len(args) == 0 || hasOption(args) {
		return p.Pool.Exec(ctx, sql, args...)
	}
	conn, to, err := p.acquire(ctx)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	if to == nil {
		defer conn.Release()
		return conn.Exec(ctx, sql, args...)
	}
	batch := &pgx.Batch{}
	batch.Queue(sql, args...)
	results := send(ctx, conn, to, batch)
	tag, err := results.Exec()
	if ended := results.Close(); err == nil {
		err = ended
	}
	return tag, err
}

// SendBatch sends several statements, which must not begin a transaction.
func (p Pool) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	conn, to, err := p.acquire(ctx)
	if err != nil {
		return pgx.FailedBatchResults(b, err)
	}
	return send(ctx, conn, to, b)
}

// Begin begins a transaction.
func (p Pool) Begin(ctx context.Context) (pgx.Tx, error) { return p.BeginTx(ctx, pgx.TxOptions{}) }

// BeginTx begins a transaction.
func (p Pool) BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error) {
	conn, to, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	var tx pgx.Tx
	if to == nil {
		tx, err = conn.BeginTx(ctx, opts)
	} else {
		tx, err = beginBound(ctx, conn, *to, opts)
	}
	if err != nil {
		conn.Release()
		return nil, err
	}
	return &boundTx{Tx: tx, conn: conn}, nil
}

// beginBound begins a transaction that is bound.
func beginBound(ctx context.Context, conn *pgxpool.Conn, to binding, opts pgx.TxOptions) (pgx.Tx, error) {
	batch := &pgx.Batch{}
	batch.BeginTx(opts)
	batch.Queue(bindTx, to.company, to.statementTime)
	results := conn.SendBatch(ctx, batch)
	tx := results.Tx()
	if err := results.Close(); err != nil {
		_ = tx.Rollback(context.WithoutCancel(ctx))
		return nil, err
	}
	return tx, nil
}

// hasOption tells whether args begin with an option of pgx that a batch does not take.
func hasOption(args []any) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0].(type) {
	case pgx.QueryExecMode, pgx.QueryResultFormats, pgx.QueryResultFormatsByOID:
		return true
	}
	return false
}
