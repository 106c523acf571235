package harness

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"os/exec"

	"github.com/jackc/pgx/v5"

	"docqa/eval/instance"
	"docqa/eval/process"
	"docqa/internal/apiclient"
)

// Server is a `docqa serve` with a database of its own, an account, and a connection to the database.
type Server struct {
	*process.Process

	URL     string
	RAGKey  string // the operator's key for the retrieval API
	Owner   *apiclient.Client
	Company string
	Database

	env []string
}

// Database is a database with an open connection, both as the superuser of the Postgres server.
type Database struct {
	DatabaseURL string
	Conn        *pgx.Conn
}

// Open returns the server called name. The first call starts it with env added to its environment.
func (h *Harness) Open(ctx context.Context, name string, env ...string) (*Server, error) {
	if s, ok := h.servers[name]; ok {
		return s, nil
	}
	h.Progress("starting docqa serve with the database %s", name)
	s := &Server{RAGKey: randomSecret()}
	var err error
	if s.Database, err = h.CreateDatabase(ctx, name); err != nil {
		return nil, err
	}
	address, err := process.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	s.URL = "http://" + address
	s.env = append(h.environment(s, address), env...)
	if err := h.Serve(ctx, s); err != nil {
		return nil, err
	}
	h.servers[name] = s
	if s.Owner, err = h.dev.Account(ctx, s.URL, s.DatabaseURL); err != nil {
		return nil, err
	}
	return s, s.Conn.QueryRow(ctx, "select company_id from companies").Scan(&s.Company)
}

// Serve starts the `docqa serve` of s and waits until it is healthy. s must not be running.
func (h *Harness) Serve(ctx context.Context, s *Server) (err error) {
	command := exec.CommandContext(context.WithoutCancel(ctx), h.Binary, "serve") //nolint:gosec // the operator names the binary
	command.Env, command.Stdout = s.env, h.Log
	s.Process, err = h.Run(ctx, command, func(ctx context.Context) bool { return instance.Healthy(ctx, s.URL) })
	return err
}

// Close stops the server called name, if it was started.
func (h *Harness) Close(ctx context.Context, name string) error {
	s, ok := h.servers[name]
	if !ok {
		return nil
	}
	delete(h.servers, name)
	_ = s.Conn.Close(context.WithoutCancel(ctx))
	return s.Stop()
}

// CreateDatabase makes an empty database with a table to measure a single commit on. The caller closes the connection.
func (h *Harness) CreateDatabase(ctx context.Context, name string) (db Database, err error) {
	admin, err := pgx.Connect(ctx, h.dev.Dev.DatabaseURL)
	if err != nil {
		return db, err
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()); err != nil {
		return db, err
	}
	u, err := url.Parse(h.dev.Dev.DatabaseURL)
	if err != nil {
		return db, err
	}
	u.Path = "/" + name
	db.DatabaseURL = u.String()
	if db.Conn, err = pgx.Connect(ctx, db.DatabaseURL); err != nil {
		return db, err
	}
	_, err = db.Conn.Exec(ctx, "create schema floor; create table floor.commits (id bigint generated always as identity primary key, note text not null)")
	return db, err
}

// environment returns the settings of a `docqa serve` that uses the storage and the sign-in of the development instance.
func (h *Harness) environment(s *Server, address string) []string {
	dev := h.dev.Dev
	return append(instance.Environment(),
		"ENVIRONMENT=dev", "ADDR="+address, "OPS_ADDR=127.0.0.1:0", "BASE_URL="+s.URL, "DATABASE_URL="+s.DatabaseURL,
		"IDP_PROVIDER=embedded", "IDP_ISSUER="+dev.IDP.Issuer, "IDP_CLIENT_ID="+dev.IDP.ClientID, "IDP_REDIRECT_URI="+dev.IDP.RedirectURI,
		"S3_ENDPOINT="+dev.S3.Endpoint, "S3_BUCKET="+dev.S3.Bucket, "S3_ACCESS_KEY="+dev.S3.AccessKey, "S3_SECRET_KEY="+dev.S3.SecretKey,
		"KEY_PEPPER="+randomSecret(), "SHARE_TOKEN_SECRET="+randomSecret(), "RAG_SERVICE_KEYS="+s.RAGKey, "RATE_LIMIT_SCALE=100000")
}

func randomSecret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
