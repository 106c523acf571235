package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// send sends b in one round trip, behind the binding where there is one. All of it is
// one transaction of the server: what fails takes the setting back, so that the connection
// counts as bound only when everything has ended well.
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

// boundResults are a batch's results. With their end the connection goes back to the pool.
type boundResults struct {
	pgx.BatchResults
	conn *pgxpool.Conn
	to   *binding // that the batch has bound the connection to; nil: it was bound before
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

// boundRows are rows with which a connection goes back to the pool.
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

// Err is what went wrong, also when the query ended.
func (r *boundRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// Next goes to the next row and ends the query behind the last one.
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

// boundRow is the first of some rows.
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

// boundTx is a transaction with which a connection goes back to the pool.
type boundTx struct {
	pgx.Tx
	conn *pgxpool.Conn
}

// Commit ends the transaction.
func (t *boundTx) Commit(ctx context.Context) error {
	defer t.release()
	return t.Tx.Commit(ctx)
}

// Rollback ends the transaction, unless it has ended.
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
