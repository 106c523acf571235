// Package loopback opens the ports of the development components, on 127.0.0.1 only.
//
// It is not for the service's own listeners, which listen where they are told.
package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// ErrTaken says that another program listens on the port.
var ErrTaken = errors.New("another program listens on it")

// Port is the port that a component asks for. The zero value takes any free port.
type Port struct {
	Number int
	// Movable allows a free port if Number cannot be opened.
	Movable bool
}

// Listen opens the port. The error is ErrTaken if another program listens on a port that
// may not move.
func Listen(ctx context.Context, p Port) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", Addr(p.Number))
	if err != nil && p.Movable {
		listener, err = config.Listen(ctx, "tcp", Addr(0))
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("port %d: %w", p.Number, ErrTaken)
	}
	return listener, err
}

// FreePort returns the number that Listen would open, for programs that open their port
// themselves.
func FreePort(ctx context.Context, p Port) (int, error) {
	listener, err := Listen(ctx, p)
	if err != nil {
		return 0, err
	}
	return NumberOf(listener), listener.Close()
}

// NumberOf returns the port that a TCP listener listens on.
func NumberOf(l net.Listener) int {
	if address, ok := l.Addr().(*net.TCPAddr); ok {
		return address.Port
	}
	return 0
}

// Addr returns the address of a port.
func Addr(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
