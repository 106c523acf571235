package store

import (
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pair are the two ends of a connection.
func pair(t *testing.T) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	ours, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	require.NoError(t, err)
	theirs, err = listener.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = ours.Close(), theirs.Close() })
	return ours, theirs
}

func TestIsQuiet(t *testing.T) {
	t.Parallel()
	t.Run("nothing has arrived", func(t *testing.T) {
		t.Parallel()
		ours, _ := pair(t)
		require.True(t, isQuiet(ours))
	})
	t.Run("the server has said something", func(t *testing.T) {
		t.Parallel()
		ours, theirs := pair(t)
		_, err := theirs.Write([]byte("E"))
		require.NoError(t, err)
		require.Eventually(t, func() bool { return !isQuiet(ours) }, 30*time.Second, time.Millisecond)
		n, err := ours.Read(make([]byte, 2))
		require.NoError(t, err)
		require.Equal(t, 1, n, "it is still there to be read")
	})
	t.Run("the server has closed it", func(t *testing.T) {
		t.Parallel()
		ours, theirs := pair(t)
		require.NoError(t, theirs.Close())
		require.Eventually(t, func() bool { return !isQuiet(ours) }, 30*time.Second, time.Millisecond)
	})
	t.Run("pgx still reads in the background", func(t *testing.T) {
		t.Parallel()
		ours, theirs := pair(t)
		read := make(chan struct{})
		go func() { _, _ = ours.Read(make([]byte, 1)); close(read) }()
		quiet := make(chan bool)
		go func() {
			for range 10_000 { // the reader begins meanwhile
				runtime.Gosched()
				isQuiet(ours)
			}
			quiet <- isQuiet(ours)
		}()
		select {
		case got := <-quiet:
			require.True(t, got)
		case <-time.After(30 * time.Second):
			t.Error("it waits for the reader")
		}
		require.NoError(t, theirs.Close())
		<-read
	})
}
