package idp

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/cors"
	"github.com/zitadel/oidc/v3/pkg/op"

	"docqa/internal/platform/clock"
)

//go:embed schema.sql
var schema string

const (
	// tokenLifetime is how long an access token is valid.
	tokenLifetime = time.Hour
	// signInLifetime is how long somebody may take to sign in.
	signInLifetime = 15 * time.Minute
	// codeLifetime is how long a program may take to redeem its code.
	codeLifetime = time.Minute
	// maxBody bounds what any request may send, in bytes.
	maxBody = 64 << 10
	// schemaLock is the advisory lock under which the tables are made.
	schemaLock = 7_306_001
)

// Options says who the provider is and which client it serves.
type Options struct {
	// Issuer is the provider's address, without a slash at its end.
	Issuer string
	// ClientID is the id of its only client, the dashboard.
	ClientID string
	// RedirectURIs are the addresses that the client may be sent back to. For an address of
	// this machine any port is accepted, because programs listen on a free one.
	RedirectURIs []string
	Clock        clock.Clock
	// Logger logs refused requests; nil: they are not logged.
	Logger *slog.Logger
}

// Provider serves one issuer.
type Provider struct {
	storage *storage
	handler http.Handler
}

// Open creates the tables and the signing key if they are missing, and returns the provider,
// which uses the pool.
func Open(ctx context.Context, pool *pgxpool.Pool, opts Options) (*Provider, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", schemaLock); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, schema); err != nil {
			return err
		}
		return ensureKey(ctx, tx, opts.Clock.Now())
	})
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	keys, err := loadKeys(ctx, pool)
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	s := &storage{
		pool: pool, clock: opts.Clock, keys: keys, hasher: newHasher(),
		client: client{id: opts.ClientID, redirectURIs: opts.RedirectURIs},
	}
	handler, err := routes(s, opts)
	if err != nil {
		return nil, fmt.Errorf("identity provider: %w", err)
	}
	return &Provider{storage: s, handler: handler}, nil
}

// Handler serves the provider at its issuer's address.
func (p *Provider) Handler() http.Handler { return p.handler }

func routes(s *storage, opts Options) (http.Handler, error) {
	config := &op.Config{CodeMethodS256: true, DefaultLogoutRedirectURI: opts.Issuer + "/signed-out"}
	_, _ = rand.Read(config.CryptoKey[:])
	protocol, err := op.NewProvider(config, s, op.StaticIssuer(opts.Issuer),
		op.WithAllowInsecure(), op.WithLogger(opts.Logger), op.WithCORSOptions(nil))
	if err != nil {
		return nil, err
	}
	page := &signInPage{storage: s, secure: strings.HasPrefix(opts.Issuer, "https://"), logger: opts.Logger}

	mux := http.NewServeMux()
	mux.Handle("GET /.well-known/openid-configuration", discovery(protocol, opts.Issuer))
	mux.Handle("GET /keys", protocol)
	mux.Handle("GET /authorize", protocol)
	mux.Handle("POST /authorize", protocol)
	mux.Handle("GET /authorize/callback", page.sameBrowser(protocol))
	mux.Handle("POST /oauth/token", recoverPanics(protocol))
	mux.Handle("GET /userinfo", protocol)
	mux.Handle("POST /userinfo", protocol)
	mux.Handle("GET /end_session", protocol)
	mux.Handle("POST /end_session", protocol)
	mux.Handle("GET /healthz", protocol)
	mux.HandleFunc("GET /sign-in", page.show)
	mux.HandleFunc("POST /sign-in", page.submit)
	mux.HandleFunc("GET /signed-out", page.signedOut)
	mux.HandleFunc("GET /style.css", page.style)

	allowed := cors.New(cors.Options{
		AllowedOrigins: origins(opts.RedirectURIs),
		AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"Authorization", "Content-Type"},
	})
	return http.MaxBytesHandler(allowed.Handler(mux), maxBody), nil
}

// discovery answers the discovery document: only what this provider serves, which is less
// than the library could.
func discovery(protocol *op.Provider, issuer string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		config := op.CreateDiscoveryConfig(op.ContextWithIssuer(r.Context(), issuer), protocol, protocol.Storage())
		config.IntrospectionEndpoint = ""
		config.RevocationEndpoint = ""
		config.DeviceAuthorizationEndpoint = ""
		config.IntrospectionEndpointAuthMethodsSupported = nil
		config.RevocationEndpointAuthMethodsSupported = nil
		config.ResponseTypesSupported = []string{"code"}
		config.GrantTypesSupported = grantTypes()
		op.Discover(w, config)
	})
}

// recoverPanics recovers from a panic of the library, which answers a request that it cannot parse
// with an error and then continues with it.
func recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			http.Error(w, `{"error":"invalid_request"}`, http.StatusBadRequest)
			return
		}
		defer func() { _ = recover() }()
		next.ServeHTTP(w, r)
	})
}

// origins returns the origins of the addresses, each one once.
func origins(addresses []string) []string {
	var found []string
	for _, address := range addresses {
		parsed, err := url.Parse(address)
		if err != nil || parsed.Host == "" {
			continue
		}
		if origin := parsed.Scheme + "://" + parsed.Host; !slices.Contains(found, origin) {
			found = append(found, origin)
		}
	}
	return found
}
