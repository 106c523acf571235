// Package loopback opens the ports of the development components: on 127.0.0.1
// only, and on another one when the wanted port is taken.
//
// It is not for the service's own listeners, which listen where they are told.
package loopback

import (
	"context"
	"fmt"
	"net"
	"strconv"
)

// Listen listens on the wanted port, or on a free one when that is 0 or taken.
func Listen(ctx context.Context, wanted int) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", Addr(wanted))
	if err != nil && wanted != 0 {
		listener, err = config.Listen(ctx, "tcp", Addr(0))
	}
	return listener, err
}

// FreePort returns the wanted port when one can listen there, else a free one. For
// programs that open their port themselves.
func FreePort(ctx context.Context, wanted int) (int, error) {
	listener, err := Listen(ctx, wanted)
	if err != nil {
		return 0, err
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("unexpected address %s", listener.Addr())
	}
	return address.Port, listener.Close()
}

// Addr returns the address of a port.
func Addr(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
