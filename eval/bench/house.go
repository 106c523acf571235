package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os/exec"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/eval/instance"
	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
)

// house is a `docqa serve` with a database of its own, an account, and a connection beside it.
type house struct {
	*process
	url      string
	database string // URL, as the server's superuser
	ragKey   string
	env      []string
	conn     *pgx.Conn
	owner    *apiclient.Client
	company  string
}

// open returns the house called name, which is started with env at the first call.
func (b *bench) open(ctx context.Context, name string, env ...string) (*house, error) {
	if h, ok := b.houses[name]; ok {
		return h, nil
	}
	b.say("starting docqa serve with the database %s", name)
	h := &house{ragKey: secret()}
	if err := b.createDatabase(ctx, name, h); err != nil {
		return nil, err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	h.url, h.env = "http://"+address, append(b.environment(h, address), env...)
	if err := b.serve(ctx, h); err != nil {
		return nil, err
	}
	b.houses[name] = h
	if h.owner, err = b.dev.Account(ctx, h.url, h.database); err != nil {
		return nil, err
	}
	return h, h.conn.QueryRow(ctx, "select company_id from companies").Scan(&h.company)
}

// serve starts the house's `docqa serve` and waits until it is healthy.
func (b *bench) serve(ctx context.Context, h *house) (err error) {
	command := exec.CommandContext(context.WithoutCancel(ctx), b.opts.Binary, "serve") //nolint:gosec // the operator names the binary
	command.Env, command.Stdout = h.env, b.opts.Log
	h.process, err = b.start(ctx, command, func(ctx context.Context) bool { return instance.Healthy(ctx, h.url) })
	return err
}

func (b *bench) createDatabase(ctx context.Context, name string, h *house) error {
	admin, err := pgx.Connect(ctx, b.dev.Dev.DatabaseURL)
	if err != nil {
		return err
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize()); err != nil {
		return err
	}
	u, err := url.Parse(b.dev.Dev.DatabaseURL)
	if err != nil {
		return err
	}
	u.Path = "/" + name
	h.database = u.String()
	if h.conn, err = pgx.Connect(ctx, h.database); err != nil {
		return err
	}
	_, err = h.conn.Exec(ctx, "create schema floor; create table floor.commits (id bigint generated always as identity primary key, note text not null)")
	return err
}

// environment holds the settings of `docqa serve` beside the development's storage and sign-in.
func (b *bench) environment(h *house, address string) []string {
	dev := b.dev.Dev
	return append(instance.Environment(),
		"ENVIRONMENT=dev", "ADDR="+address, "OPS_ADDR=127.0.0.1:0", "BASE_URL="+h.url, "DATABASE_URL="+h.database,
		"IDP_PROVIDER=embedded", "IDP_ISSUER="+dev.IDP.Issuer, "IDP_CLIENT_ID="+dev.IDP.ClientID, "IDP_REDIRECT_URI="+dev.IDP.RedirectURI,
		"S3_ENDPOINT="+dev.S3.Endpoint, "S3_BUCKET="+dev.S3.Bucket, "S3_ACCESS_KEY="+dev.S3.AccessKey, "S3_SECRET_KEY="+dev.S3.SecretKey,
		"KEY_PEPPER="+secret(), "SHARE_TOKEN_SECRET="+secret(), "RAG_SERVICE_KEYS="+h.ragKey, "RATE_LIMIT_SCALE=100000")
}

func secret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// close ends the house called name.
func (b *bench) close(ctx context.Context, name string) error {
	h, ok := b.houses[name]
	if !ok {
		return nil
	}
	delete(b.houses, name)
	_ = h.conn.Close(context.WithoutCancel(ctx))
	return h.stop()
}

func (b *bench) closeHouses(ctx context.Context) error {
	var errs []error
	for name := range b.houses {
		errs = append(errs, b.close(ctx, name))
	}
	return errors.Join(errs...)
}

// project makes a project that a model answers, empty for the built-in one, ingests the corpus into it and
// returns a client with a key of it. chunks is how many passages the corpus has become.
func (b *bench) project(ctx context.Context, h *house, name, model string) (key string, chunks int, err error) {
	made, err := h.owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: name}, mainapi.CreateProjectParams{})
	if err != nil {
		return "", 0, apiclient.Explain(err)
	}
	id := made.Project.ProjectID
	if model != "" {
		_, err := h.owner.UpdateProject(ctx, &mainapi.ProjectPatch{ChatModelArn: mainapi.NewOptNilString(model)}, mainapi.UpdateProjectParams{ProjectID: id})
		if err != nil {
			return "", 0, apiclient.Explain(err)
		}
	}
	b.say("ingesting %d documents into %s", documents, name)
	files := corpus()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := h.owner.Upload(ctx, id, name, files[name]); err != nil {
			return "", 0, fmt.Errorf("upload %s: %w", name, err)
		}
	}
	services, err := apiclient.NewServices(h.url, h.ragKey)
	if err != nil {
		return "", 0, err
	}
	reads, err := services.EmbeddingModel(ctx)
	if err != nil {
		return "", 0, err
	}
	var progress apiclient.Progress
	_, err = h.owner.WaitFor(ctx, id, apiclient.Wait{Vectors: reads != "", Report: func(p apiclient.Progress) { progress = p }})
	if err != nil {
		return "", 0, err
	}
	if progress.Indexed != documents {
		return "", 0, fmt.Errorf("%d of %d documents are indexed", progress.Indexed, documents)
	}
	if err := h.conn.QueryRow(ctx, "select count(*) from chunks where project_id = $1", id).Scan(&chunks); err != nil {
		return "", 0, err
	}
	issued, err := h.owner.CreateKey(ctx, mainapi.OptAPIKeyCreate{}, mainapi.CreateKeyParams{ProjectID: id})
	if err != nil {
		return "", 0, apiclient.Explain(err)
	}
	return issued.Secret, chunks, nil
}
