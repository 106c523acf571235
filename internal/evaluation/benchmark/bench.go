package benchmark

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/jackc/pgx/v5"

	"docqa/gen/mainapi"
	"docqa/internal/apiclient"
	"docqa/internal/clock"
	"docqa/internal/evaluation/instance"
)

const database = "benchmark"

// Options say what to measure.
type Options struct {
	Binary string // the docqa binary
	Rounds int    // of commit, SELECT 1 and chat
	Starts int    // of docqa serve
	Clock  clock.Clock
	Log    io.Writer // the output of the processes
	Out    io.Writer // what is being done
}

type bench struct {
	opts        Options
	dev         *instance.Instance
	conn        *pgx.Conn
	address     string
	environment []string
}

// Run starts what it needs, measures, and stops it.
func Run(ctx context.Context, opts Options) (report *Report, err error) {
	b := &bench{opts: opts}
	b.say("starting Postgres, the object storage and the sign-in")
	if b.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.dev.Stop()) }()
	target, err := b.ownDatabase(ctx)
	if err != nil {
		return nil, err
	}
	defer b.conn.Close(context.WithoutCancel(ctx))
	if b.address, err = freeAddress(ctx); err != nil {
		return nil, err
	}
	b.environment = environment(b.dev.Dev, target, b.address)
	report = &Report{}
	s, err := b.starts(ctx, report)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	chat, err := b.prepare(ctx, target, s, report)
	if err != nil {
		return nil, err
	}
	if err := b.rounds(ctx, chat, report); err != nil {
		return nil, err
	}
	report.ResidentBytes, err = s.resident()
	return report, err
}

func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.opts.Out, format+"\n", args...) }

// ownDatabase makes a database beside the development's and connects to it.
func (b *bench) ownDatabase(ctx context.Context) (string, error) {
	admin, err := pgx.Connect(ctx, b.dev.Dev.DatabaseURL)
	if err != nil {
		return "", err
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "create database "+database); err != nil {
		return "", err
	}
	u, err := url.Parse(b.dev.Dev.DatabaseURL)
	if err != nil {
		return "", err
	}
	u.Path = "/" + database
	if b.conn, err = pgx.Connect(ctx, u.String()); err != nil {
		return "", err
	}
	_, err = b.conn.Exec(ctx, "create schema floor; create table floor.commits (id bigint generated always as identity primary key, note text not null)")
	return u.String(), err
}

// starts measures the start several times, without the first, which migrates, and leaves the last one running.
func (b *bench) starts(ctx context.Context, report *Report) (*served, error) {
	b.say("starting docqa serve %d times", b.opts.Starts)
	for i := 0; ; i++ {
		s, err := b.serve(ctx)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			report.StartMS = append(report.StartMS, milliseconds(s.took))
		}
		if i == b.opts.Starts {
			return s, nil
		}
		if err := s.stop(); err != nil {
			return nil, err
		}
	}
}

// prepare does the main job: a company, a project, the documents, their ingestion, and a key to ask with.
func (b *bench) prepare(ctx context.Context, target string, s *served, report *Report) (*apiclient.Client, error) {
	owner, err := b.dev.Account(ctx, s.url, target)
	if err != nil {
		return nil, err
	}
	project, err := owner.CreateProject(ctx, &mainapi.ProjectCreate{Name: "Benchmark"})
	if err != nil {
		return nil, apiclient.Explain(err)
	}
	id := project.Project.ProjectID
	b.say("ingesting %d documents", documents)
	for name, data := range corpus() {
		if _, err := owner.Upload(ctx, id, name, data); err != nil {
			return nil, fmt.Errorf("upload %s: %w", name, err)
		}
	}
	began := b.opts.Clock.Now()
	progress, err := owner.WaitIndexed(ctx, id, func(apiclient.Progress) {})
	if err != nil {
		return nil, err
	}
	if progress.Indexed != documents {
		return nil, fmt.Errorf("%d of %d documents are indexed", progress.Indexed, documents)
	}
	report.IngestMS = milliseconds(b.opts.Clock.Now().Sub(began))
	list, err := owner.Documents(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		report.Chunks += list[i].ChunkCount
	}
	issued, err := owner.CreateKey(ctx, mainapi.OptAPIKeyCreate{}, mainapi.CreateKeyParams{ProjectID: id})
	if err != nil {
		return nil, apiclient.Explain(err)
	}
	return apiclient.New(s.url, apiclient.Credentials{Key: issued.Secret})
}
