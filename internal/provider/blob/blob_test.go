package blob_test

import (
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/blob"
	"docqa/internal/testkit/blobtest"
)

func TestMain(m *testing.M) { blobtest.Main(m) }

func send(t *testing.T, method, address, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	maps.Copy(req.Header, header)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(text)
}

func TestStore_Objects(t *testing.T) {
	t.Parallel()
	b := blobtest.New(t)
	ctx := t.Context()

	put, err := b.PresignPut(ctx, "incoming/a", time.Minute)
	require.NoError(t, err)
	res, _ := send(t, http.MethodPut, put, "hello world", http.Header{"Origin": {blobtest.Origin}, "Content-Type": {"text/plain"}})
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, blobtest.Origin, res.Header.Get("Access-Control-Allow-Origin"))

	info, err := b.Stat(ctx, "incoming/a")
	require.NoError(t, err)
	require.Equal(t, int64(11), info.Size)
	require.NotEmpty(t, info.ETag)

	require.NoError(t, b.Copy(ctx, "incoming/a", "documents/b"))
	body, err := b.GetRange(ctx, "documents/b", 6, 100)
	require.NoError(t, err)
	text, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.Equal(t, "world", string(text))

	get, err := b.PresignGet(ctx, "documents/b", time.Minute, blob.View{ContentType: "text/plain", Disposition: "inline"})
	require.NoError(t, err)
	res, content := send(t, http.MethodGet, get, "", nil)
	require.Equal(t, http.StatusOK, res.StatusCode)
	require.Equal(t, "hello world", content)
	require.Equal(t, "inline", res.Header.Get("Content-Disposition"))

	require.NoError(t, b.Remove(ctx, "documents/b"))
	require.NoError(t, b.Remove(ctx, "documents/b"), "what is not there is removed already")
	require.NoError(t, b.Put(ctx, "made", strings.NewReader("x"), 1))
	require.NoError(t, b.Ping(ctx))
}

func TestStore_NotFound(t *testing.T) {
	t.Parallel()
	b := blobtest.New(t)
	_, err := b.Stat(t.Context(), "nothing")
	require.ErrorIs(t, err, blob.ErrNotFound)
	_, err = b.Get(t.Context(), "nothing")
	require.ErrorIs(t, err, blob.ErrNotFound)
	_, err = b.GetRange(t.Context(), "nothing", 0, 10)
	require.ErrorIs(t, err, blob.ErrNotFound)
	require.ErrorIs(t, b.Copy(t.Context(), "nothing", "there"), blob.ErrNotFound)
}

func TestStore_Presign(t *testing.T) {
	t.Parallel()
	opts := blobtest.Options(t)

	t.Run("names the public endpoint", func(t *testing.T) {
		t.Parallel()
		o := opts
		o.PublicEndpoint = "https://files.example.com"
		b, err := blob.New(o)
		require.NoError(t, err)
		address, err := b.PresignPut(t.Context(), "incoming/a", 900*time.Second)
		require.NoError(t, err)
		u, err := url.Parse(address)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme)
		require.Equal(t, "files.example.com", u.Host)
		require.Equal(t, "900", u.Query().Get("X-Amz-Expires"))
	})
	t.Run("another key is refused", func(t *testing.T) {
		t.Parallel()
		b, err := blob.New(opts)
		require.NoError(t, err)
		address, err := b.PresignPut(t.Context(), "incoming/a", time.Minute)
		require.NoError(t, err)
		res, _ := send(t, http.MethodPut, strings.Replace(address, "incoming/a", "incoming/b", 1), "x", nil)
		require.Equal(t, http.StatusForbidden, res.StatusCode)
	})
}

func TestStore_Unreachable(t *testing.T) {
	t.Parallel()
	b, err := blob.New(blob.Options{Endpoint: "http://127.0.0.1:1", Bucket: "none", AccessKey: "a", SecretKey: "b"})
	require.NoError(t, err)
	_, err = b.Stat(t.Context(), "a")
	require.Error(t, err)
	require.NotErrorIs(t, err, blob.ErrNotFound)
	require.True(t, blob.IsUnavailable(err))
	require.Error(t, b.Ping(t.Context()))
}

func TestNew_Refuses(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]blob.Options{
		"no endpoint":            {Bucket: "b"},
		"no bucket":              {Endpoint: "http://127.0.0.1:9000"},
		"a host alone":           {Endpoint: "127.0.0.1:9000", Bucket: "b"},
		"an endpoint with path":  {Endpoint: "http://127.0.0.1:9000/s3", Bucket: "b"},
		"a bad public endpoint":  {Endpoint: "http://127.0.0.1:9000", PublicEndpoint: "ftp://x", Bucket: "b"},
		"an endpoint with a %zz": {Endpoint: "http://127.0.0.1:9000%zz", Bucket: "b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := blob.New(opts)
			require.ErrorContains(t, err, "S3_")
		})
	}
}
