package dbtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// Proxy passes data between a program and its database. It loses an answer when a test asks
// for it.
type Proxy struct {
	// URL is the address of the database through the proxy.
	URL string

	network, address string // of the server
	mu               sync.Mutex
	lose             string // the command whose next answer is lost
	lost             chan struct{}
}

// NewProxy starts a proxy of a database that no other test uses until tb ends.
func NewProxy(tb testing.TB) *Proxy {
	tb.Helper()
	direct := URL(tb)
	cfg, err := pgconn.ParseConfig(direct)
	require.NoError(tb, err)
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	u, err := url.Parse(direct)
	require.NoError(tb, err)
	u.Host, u.RawQuery = l.Addr().String(), "sslmode=disable"
	p := &Proxy{URL: u.String()}
	p.network, p.address = pgconn.NetworkAddress(cfg.Host, cfg.Port)
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.pass(client) })
		}
	})
	tb.Cleanup(func() {
		_ = l.Close()
		serving.Wait() // the stores that use it were closed before
	})
	return p
}

// LoseAnswer closes the connection instead of sending the next answer to a command, such as
// INSERT, that the server has executed and committed. The returned channel is closed when that
// has happened.
func (p *Proxy) LoseAnswer(command string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lose, p.lost = command, make(chan struct{})
	return p.lost
}

// pass serves one connection.
func (p *Proxy) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial(p.network, p.address) //nolint:noctx // it ends with the client's connection
	if err != nil {
		return
	}
	var sending sync.WaitGroup
	sending.Go(func() {
		defer server.Close()
		_, _ = io.Copy(server, client)
	})
	p.answer(client, bufio.NewReader(server))
	_ = client.Close()
	sending.Wait()
}

// The kinds of server messages that matter here.
const (
	commandComplete = 'C'
	readyForQuery   = 'Z' // all commands before it are committed
)

// answer passes the server's messages to the client until either side ends, or an answer is
// lost.
func (p *Proxy) answer(client io.Writer, server *bufio.Reader) {
	out := bufio.NewWriter(client)
	losing := false
	for {
		var head [5]byte // kind, and the length, which includes its own four bytes
		if _, err := io.ReadFull(server, head[:]); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		losing = losing || head[0] == commandComplete && p.toLose(string(bytes.TrimRight(body, "\x00")))
		if losing && head[0] == readyForQuery {
			close(p.lost)
			return
		}
		if losing {
			continue
		}
		_, _ = out.Write(head[:])
		_, _ = out.Write(body)
		if server.Buffered() > 0 {
			continue
		}
		if err := out.Flush(); err != nil {
			return
		}
	}
}

func (p *Proxy) toLose(tag string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lose == "" || !strings.HasPrefix(tag, p.lose) {
		return false
	}
	p.lose = ""
	return true
}
