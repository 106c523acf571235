package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// bind binds a connection to a company and its statements to their time limit, until it is
// bound anew.
const bind = "select set_config('app.company_id', $1, false), set_config('statement_timeout', $2, false)"

// bindTx binds a transaction in the same way. Its end, by commit or rollback, restores the
// settings of the connection.
const bindTx = "select set_config('app.company_id', $1, true), set_config('statement_timeout', $2, true)"

// Pool is a pool whose connections see only the rows of the context's company. If a connection
// served another company before, the setting is sent in front of the statement, in the same
// round trip, and both succeed or fail together.
//
// The methods of pgxpool.Pool that it does not overwrite spend a round trip on the setting (prepareConn).
type Pool struct{ *pgxpool.Pool }

// acquire takes a connection. to is what the caller must bind it to, in front of the first
// statement; nil if it is bound already.
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

// QueryRow sends a query and reads its first row.
func (p Pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := p.Query(ctx, sql, args...)
	return boundRow{rows, err}
}

// Exec sends a statement. SQL without arguments may be several statements, which cannot share
// a round trip with the setting.
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

// hasOption reports whether args begin with an option of pgx that a batch does not take.
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
