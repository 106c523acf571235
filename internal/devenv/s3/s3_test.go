package s3

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"
)

const origin = "http://localhost:8080"

// TestMain makes the test program also the server, and the parent of a server, which a test
// can kill.
func TestMain(m *testing.M) {
	switch os.Getenv("DOCQA_TEST_ROLE") {
	case "server":
		if err := Child(context.Background(), os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "parent":
		server, err := Start(context.Background(), options(os.Args[1]))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stdout, server.Endpoint())
		<-server.Done()
	default:
		os.Exit(m.Run())
	}
}

func options(dir string) Options {
	return Options{
		Dir: dir, Bucket: "docqa", Origins: []string{origin, "https://app.example.com"},
		Command: []string{os.Args[0]}, Env: []string{"DOCQA_TEST_ROLE=server"},
	}
}

func start(t *testing.T, dir string) (*Server, *minio.Client) {
	t.Helper()
	server, err := Start(t.Context(), options(dir))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	client, err := minio.New(strings.TrimPrefix(server.Endpoint(), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(server.AccessKey, server.SecretKey, ""), Region: server.Region(),
	})
	require.NoError(t, err)
	return server, client
}

func send(t *testing.T, method, address, body string, header map[string]string) (int, http.Header, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(text)
}

// A client that keeps its connection open does not delay the stop.
func TestStop_doesNotWaitForIdleConnections(t *testing.T) {
	t.Parallel()
	server, _ := start(t, t.TempDir())
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(server.Endpoint(), "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET /docqa HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	_, err = conn.Read(make([]byte, 1))
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, server.Stop())
	require.Less(t, time.Since(began), 9*time.Second, "the gateway itself would wait for ten")
}

func TestPresignedURLs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before, err := os.Getwd()
	require.NoError(t, err)
	_, client := start(t, dir)

	put, err := client.PresignHeader(t.Context(), http.MethodPut, "docqa", "incoming/a b.txt", time.Minute, nil,
		http.Header{"Content-Type": {"text/plain"}})
	require.NoError(t, err)
	status, _, _ := send(t, http.MethodPut, put.String(), "hello", map[string]string{"Content-Type": "text/html"})
	require.Equal(t, http.StatusForbidden, status)
	status, header, _ := send(t, http.MethodPut, put.String(), "hello", map[string]string{"Content-Type": "text/plain", "Origin": origin})
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, origin, header.Get("Access-Control-Allow-Origin"))

	get, err := client.PresignedGetObject(t.Context(), "docqa", "incoming/a b.txt", time.Minute, url.Values{})
	require.NoError(t, err)
	status, _, body := send(t, http.MethodGet, get.String(), "", nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "hello", body)

	query := get.Query()
	query.Set("X-Amz-Signature", strings.Repeat("0", 64))
	get.RawQuery = query.Encode()
	status, _, _ = send(t, http.MethodGet, get.String(), "", nil)
	require.Equal(t, http.StatusForbidden, status)

	after, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestUploadLargerThanItsPolicyAllows(t *testing.T) {
	t.Parallel()
	_, client := start(t, t.TempDir())
	for size, want := range map[int]int{1000: http.StatusNoContent, 1001: http.StatusBadRequest} {
		policy := minio.NewPostPolicy()
		require.NoError(t, policy.SetBucket("docqa"))
		require.NoError(t, policy.SetKey("incoming/limited"))
		require.NoError(t, policy.SetExpires(time.Now().Add(time.Minute)))
		require.NoError(t, policy.SetContentLengthRange(1, 1000))
		address, fields, err := client.PresignedPostPolicy(t.Context(), policy)
		require.NoError(t, err)

		var form bytes.Buffer
		writer := multipart.NewWriter(&form)
		for name, value := range fields {
			require.NoError(t, writer.WriteField(name, value))
		}
		part, err := writer.CreateFormFile("file", "limited")
		require.NoError(t, err)
		_, err = part.Write(bytes.Repeat([]byte("x"), size))
		require.NoError(t, err)
		require.NoError(t, writer.Close())
		status, _, body := send(t, http.MethodPost, address.String(), form.String(), map[string]string{"Content-Type": writer.FormDataContentType()})
		require.Equal(t, want, status, body)
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	_, client := start(t, t.TempDir())
	put, err := client.PresignedPutObject(t.Context(), "docqa", "incoming/x", time.Minute)
	require.NoError(t, err)
	ask := map[string]string{
		"Origin": origin, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "content-type",
	}
	status, header, body := send(t, http.MethodOptions, put.String(), "", ask)
	require.Less(t, status, 300, body)
	require.Equal(t, origin, header.Get("Access-Control-Allow-Origin"))
	ask["Origin"] = "https://elsewhere.example.com"
	status, _, _ = send(t, http.MethodOptions, put.String(), "", ask)
	require.Equal(t, http.StatusForbidden, status)
}

func TestObjectsAndKeysAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Start(t.Context(), options(dir))
	require.NoError(t, err)
	client, err := minio.New(strings.TrimPrefix(first.Endpoint(), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(first.AccessKey, first.SecretKey, ""), Region: first.Region(),
	})
	require.NoError(t, err)
	_, err = client.PutObject(t.Context(), "docqa", "kept", strings.NewReader("yes"), 3, minio.PutObjectOptions{})
	require.NoError(t, err)
	require.NoError(t, first.Stop())
	require.NoError(t, first.Stop())

	second, client := start(t, dir)
	require.Equal(t, first.keys, second.keys)
	info, err := client.StatObject(t.Context(), "docqa", "kept", minio.StatObjectOptions{})
	require.NoError(t, err)
	require.EqualValues(t, 3, info.Size)
	stat, err := os.Stat(filepath.Join(dir, "keys.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), stat.Mode().Perm())
}

func TestEndsWithItsParent(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	parent := exec.CommandContext(t.Context(), program, t.TempDir())
	parent.Env = append(os.Environ(), "DOCQA_TEST_ROLE=parent")
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address := strings.TrimPrefix(strings.TrimSpace(line), "http://")

	require.NoError(t, parent.Process.Kill())
	require.Error(t, parent.Wait())
	require.Eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, 2*time.Minute, 20*time.Millisecond)
}
