package walk_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/app"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/sharetoken"
	"docqa/internal/store"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/idptest"
)

const (
	secret = "a secret of at least thirty-two characters"
	ragKey = "rag-service-key-of-at-least-32-characters"
)

func TestMain(m *testing.M) { blobtest.Main(m) }

// installation is the service as in production, without workers, with a database and a bucket
// of the test's own.
type installation struct {
	url    string
	store  *store.Store
	idp    *idptest.IDP
	keys   *apikeys.Service
	shares *sharetoken.Service
}

func install(t *testing.T) *installation {
	t.Helper()
	database := dbtest.URL(t)
	objects := blobtest.Options(t)
	in := &installation{idp: idptest.New(t)}
	settings := map[string]string{
		"ENVIRONMENT": "dev", "DATABASE_URL": database, "S3_ENDPOINT": objects.Endpoint, "S3_REGION": objects.Region,
		"S3_BUCKET": objects.Bucket, "S3_ACCESS_KEY": objects.AccessKey, "S3_SECRET_KEY": objects.SecretKey,
		"KEY_PEPPER": secret, "SHARE_TOKEN_SECRET": secret, "RAG_SERVICE_KEYS": ragKey, "RATE_LIMIT_SCALE": "1000000",
		"IDP_ISSUER": in.idp.URL, "IDP_CLIENT_ID": idptest.ClientID, "DATABASE_MAX_CONNS": "8",
	}
	cfg, problems := config.Load(func(name string) (string, bool) { v, ok := settings[name]; return v, ok })
	require.Empty(t, problems)
	cfg.OpsAddr = ""
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))

	var err error
	in.store, err = store.Open(t.Context(), database, store.Options{MaxConns: 4, Application: "docqa test"})
	require.NoError(t, err)
	t.Cleanup(in.store.Close)
	in.keys = apikeys.New(apikeys.Deps{Store: in.store, Clock: clock.System(), Logger: log, Pepper: []byte(secret)})
	t.Cleanup(func() { in.keys.Wait(context.WithoutCancel(t.Context())) })
	in.shares = sharetoken.New(sharetoken.Deps{Store: in.store, Clock: clock.System(), Secret: []byte(secret)})

	service, err := app.New(t.Context(), cfg, log)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, service.Stop(context.Background())) })
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	in.url = "http://" + listener.Addr().String()
	require.NoError(t, service.Start(context.WithoutCancel(t.Context()), app.ServeOptions{Services: []string{"main", "extract", "rag"}, Listener: listener}))
	return in
}

// credential holds the headers by which a caller is accepted.
type credential map[string]string

// answer is the response to a request.
type answer struct {
	status int
	code   string // of the error body
	body   string
}

// call sends one request. It checks that the answer has a request id, may not be cached and
// does not take long.
func (in *installation) call(t *testing.T, method, path string, c credential, payload []byte) answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, in.url+path, bytes.NewReader(payload))
	require.NoError(t, err)
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // RoundTrip follows no redirect
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NotEmpty(t, resp.Header.Get("X-Request-Id"))
	require.Equal(t, "no-store", resp.Header.Get("Cache-Control"), "%s %s: %d", method, path, resp.StatusCode)
	return answer{status: resp.StatusCode, code: codeOf(data), body: string(data)}
}
