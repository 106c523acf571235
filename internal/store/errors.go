package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"docqa/internal/platform/apperr"
)

// IsUniqueViolation reports whether err is a violation of the named unique constraint.
func IsUniqueViolation(err error, constraint string) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == "23505" && e.ConstraintName == constraint
}

// IsNoRows reports whether err says that a query found no row.
func IsNoRows(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// RowError returns the error of a query that reads or changes one row, as a service passes it on.
// No row is the client's 404; an error that is meant for the client already stays as it is;
// any other one says what was being done. nil stays nil.
func RowError(doing string, err error) error {
	if err == nil {
		return nil
	}
	if IsNoRows(err) {
		return apperr.NotFound()
	}
	if _, ok := errors.AsType[*apperr.Error](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// IsUnavailable reports whether err says that the database could not do now what it may
// do later: it cannot be reached, closed the connection, lacks memory, disk or
// connections, is a standby, or did not answer in time. The request may be tried again.
// A caller that left (context.Canceled) is not such an error.
func IsUnavailable(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true // a refused login too: the database cannot be used
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return unavailableState(e.Code)
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.DeadlineExceeded)
}

// unavailableState reports whether a SQLSTATE belongs to such an error.
func unavailableState(code string) bool {
	switch code {
	case "57014", // statement_timeout: if a caller leaves, the driver closes the connection instead
		"55P03",          // lock_timeout
		"25P03", "25P04", // idle_in_transaction_session_timeout, transaction_timeout
		"25006",          // the server is read-only: a standby, or a primary that was replaced
		"40001", "40P01": // serialization failure, deadlock
		return true
	}
	// 08: connection; 53: disk, memory, connections; 57P: shutting or starting up; 58: the operating system.
	for _, class := range []string{"08", "53", "57P", "58"} {
		if strings.HasPrefix(code, class) {
			return true
		}
	}
	return false
}
