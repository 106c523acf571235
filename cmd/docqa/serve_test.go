package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/config"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/dbtest"
)

// working returns settings with which the service runs.
func working(t *testing.T) map[string]string {
	t.Helper()
	objects := blobtest.Options(t)
	settings := complete()
	settings["DATABASE_URL"], settings["ADDR"] = dbtest.URL(t), "127.0.0.1:0"
	settings["SANDBOX"] = config.SandboxWeak // these tests read no hostile files, so they may run on any machine
	settings["S3_ENDPOINT"], settings["S3_REGION"], settings["S3_BUCKET"] = objects.Endpoint, objects.Region, objects.Bucket
	settings["S3_ACCESS_KEY"], settings["S3_SECRET_KEY"] = objects.AccessKey, objects.SecretKey
	return settings
}

// TestServe_CannotStart: the program prints one line that names the cause, without a stack
// trace, and ends.
func TestServe_CannotStart(t *testing.T) {
	t.Parallel()
	oneLine := func(t *testing.T, settings map[string]string, want string, args ...string) {
		t.Helper()
		e := run(t, settings, args...)
		require.Equal(t, 1, e.code, e.errOut)
		require.Len(t, e.lines(), 1, e.errOut)
		require.True(t, strings.HasPrefix(e.lines()[0], "docqa: "), e.errOut)
		require.Contains(t, e.lines()[0], want)
		require.NotContains(t, e.errOut, "hidden-password")
		require.NotContains(t, e.errOut, "goroutine ")
	}
	t.Run("the port is taken", func(t *testing.T) {
		t.Parallel()
		busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer func() { _ = busy.Close() }()
		for _, name := range []string{"ADDR", "OPS_ADDR"} {
			settings := working(t)
			settings[name] = busy.Addr().String()
			oneLine(t, settings, busy.Addr().String()+": bind: address already in use", "serve")
		}
	})
	t.Run("the database is away", func(t *testing.T) {
		t.Parallel()
		oneLine(t, complete(), "127.0.0.1:1", "serve")
		oneLine(t, complete(), "127.0.0.1:1", "migrate")
		settings := complete()
		settings["DATABASE_MIGRATE"] = "false"
		oneLine(t, settings, "127.0.0.1:1", "work")
	})
	t.Run("the database was never migrated", func(t *testing.T) {
		t.Parallel()
		settings := working(t)
		settings["DATABASE_URL"], settings["DATABASE_MIGRATE"] = dbtest.Blank(t), "false"
		oneLine(t, settings, "migrat", "serve")
	})
	t.Run("there is no such queue", func(t *testing.T) {
		t.Parallel()
		oneLine(t, working(t), `no queue "nonsense"`, "work", "--queues", "nonsense")
	})
}

// TestServe_UntilStopped starts the program on a database without tables, asks it one question
// and stops it.
func TestServe_UntilStopped(t *testing.T) {
	t.Parallel()
	settings := working(t)
	settings["DATABASE_URL"] = dbtest.Blank(t)
	cmd := command(t, settings, "serve")
	var said bytes.Buffer
	pipe, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	address := listening(t, io.TeeReader(pipe, &said))
	require.NotEmpty(t, address, said.String())

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/health", http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)

	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(pipe)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait(), "a stop that was asked for is no failure: %s%s", said.String(), rest)
	require.NotContains(t, said.String()+string(rest), "goroutine ")
}

// listening reads the log until it names the address of the API.
func listening(t *testing.T, log io.Reader) string {
	t.Helper()
	scanner := bufio.NewScanner(log)
	for scanner.Scan() {
		var line struct{ Msg, For, Address string }
		if json.Unmarshal(scanner.Bytes(), &line) == nil && line.Msg == "listening" && line.For == "api" {
			return line.Address
		}
	}
	return ""
}
