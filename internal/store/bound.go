package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// send sends b in one round trip, with the binding in front of it unless to is nil. The server
// runs all of it in one transaction: a failure reverts the setting, so the connection counts
// as bound only after everything has succeeded.
func send(ctx context.Context, conn *pgxpool.Conn, to *binding, b *pgx.Batch) pgx.BatchResults {
	if to == nil {
		return &boundResults{BatchResults: conn.SendBatch(ctx, b), conn: conn}
	}
	whole := &pgx.Batch{}
	whole.Queue(bind, to.company, to.statementTime)
	whole.QueuedQueries = append(whole.QueuedQueries, b.QueuedQueries...)
	unbind(conn.Conn())
	results := conn.SendBatch(ctx, whole)
	if _, err := results.Exec(); err != nil {
		_ = results.Close()
		conn.Release()
		return pgx.FailedBatchResults(b, err)
	}
	return &boundResults{BatchResults: results, conn: conn, to: to}
}

// boundResults are the results of a batch. Close returns the connection to the pool.
type boundResults struct {
	pgx.BatchResults
	conn *pgxpool.Conn
	to   *binding // what the batch binds the connection to; nil: it was bound before
	err  error
}

// Close ends the batch.
func (r *boundResults) Close() error {
	if r.conn == nil {
		return r.err
	}
	r.err = r.BatchResults.Close()
	if r.err == nil && r.to != nil {
		bound(r.conn.Conn(), *r.to)
	}
	r.conn.Release()
	r.conn = nil
	return r.err
}

// boundRows are rows that return their connection to the pool when they are closed.
type boundRows struct {
	pgx.Rows
	end   func() error
	ended bool
	err   error
}

// Close ends the query.
func (r *boundRows) Close() {
	r.Rows.Close()
	if !r.ended {
		r.ended, r.err = true, r.end()
	}
}

// Err returns the error of the rows, or of the end of the query.
func (r *boundRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// Next reads the next row. After the last one it ends the query.
func (r *boundRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

// Scan reads the row. A failure ends the query.
func (r *boundRows) Scan(dest ...any) error {
	err := r.Rows.Scan(dest...)
	if err != nil {
		r.Close()
	}
	return err
}

// boundRow reads the first row of a query.
type boundRow struct {
	rows pgx.Rows
	err  error
}

// Scan reads the row.
func (r boundRow) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}

// boundTx is a transaction that returns its connection to the pool when it ends.
type boundTx struct {
	pgx.Tx
	conn *pgxpool.Conn
}

// Commit commits the transaction.
func (t *boundTx) Commit(ctx context.Context) error {
	defer t.release()
	return t.Tx.Commit(ctx)
}

// Rollback rolls the transaction back, unless it has ended.
func (t *boundTx) Rollback(ctx context.Context) error {
	defer t.release()
	return t.Tx.Rollback(ctx)
}

func (t *boundTx) release() {
	if t.conn != nil {
		t.conn.Release()
		t.conn = nil
	}
}
