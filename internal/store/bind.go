package store

import (
	"context"
	"crypto/tls"
	"net"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// bindingOfConn is the key under which a connection keeps what its session is bound to. A
// connection without it may be bound to any company.
const bindingOfConn = "binding"

// binding is what a connection is bound to while a context uses it.
type binding struct {
	company       string
	statementTime string // milliseconds
}

func bound(conn *pgx.Conn, to binding) { conn.PgConn().CustomData()[bindingOfConn] = to }

func unbind(conn *pgx.Conn) { delete(conn.PgConn().CustomData(), bindingOfConn) }

type pendingKey struct{}

// pending is a binding that the caller sends in front of its statement.
type pending struct{ to *binding }

// prepareConn binds a connection to the context's company and its statements to their time
// limit before it is used. It does so in a round trip of its own, or leaves it to a caller who
// sends the binding in front of its statement. A connection that is bound so already needs neither.
func prepareConn(statementTime time.Duration) func(ctx context.Context, conn *pgx.Conn) (bool, error) {
	return func(ctx context.Context, conn *pgx.Conn) (bool, error) {
		want := binding{scope(ctx), strconv.FormatInt(statementTimeOf(ctx, statementTime).Milliseconds(), 10)}
		quiet := isQuiet(conn.PgConn().Conn())
		if have, ok := conn.PgConn().CustomData()[bindingOfConn].(binding); ok && have == want && quiet {
			return true, nil
		}
		if later, ok := ctx.Value(pendingKey{}).(*pending); ok && quiet {
			later.to = &want
			return true, nil
		}
		unbind(conn)
		if _, err := conn.Exec(ctx, bind, want.company, want.statementTime); err != nil {
			if conn.IsClosed() {
				return false, nil // it was closed while it was idle in the pool: another connection may work
			}
			return false, err
		}
		bound(conn, want)
		return true, nil
	}
}

// isQuiet reports whether nothing has arrived on a connection that was idle in the pool. A server
// that ended the connection has sent an error or has closed it.
func isQuiet(conn net.Conn) bool {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Control(func(fd uintptr) { // not Read: pgx may be reading in the background
		_, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		quiet = err == syscall.EAGAIN
	})
	return err == nil && quiet
}
