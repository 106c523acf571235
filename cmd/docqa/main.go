// Command docqa is the Document Q&A Service. It runs the API and its workers, and docqa dev
// with everything that they need. It also has commands for operators, and commands that call
// the API. This package has flags, output and exit codes; internal/app builds the service, and
// internal/devenv runs it for development.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"docqa/internal/app"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/sandbox"
)

// Exit codes: 0 done, 1 failed, 2 wrong flags or settings.
const (
	exitFailed = 1
	exitUsage  = 2
)

type commands struct {
	Serve       serveCommand       `cmd:"" help:"Serve the API and work the jobs."`
	Work        workCommand        `cmd:"" help:"Work the jobs only."`
	Dev         devCommand         `cmd:"" help:"Everything on this machine: Postgres, object storage, sign-in, mail, API and workers."`
	Migrate     migrateCommand     `cmd:"" help:"Bring the database to this version."`
	CheckConfig checkConfigCommand `cmd:"" help:"Print every setting, its default and what is wrong."`
	Quickstart  quickstartCommand  `cmd:"" help:"Do the main job once against a running docqa dev."`
	Token       tokenCommand       `cmd:"" help:"Sign in by the real flow and print the access token."`
	User        userCommand        `cmd:"" help:"Accounts of the embedded identity provider."`
	Company     companyCommand     `cmd:"" help:"Companies, for installations without a payment provider."`
	Project     projectCommand     `cmd:"" help:"Create and list projects."`
	Key         keyCommand         `cmd:"" help:"Issue, list and revoke the keys of a project."`
	Ingest      ingestCommand      `cmd:"" help:"Bring files and pages into a project."`
	Ask         askCommand         `cmd:"" help:"Ask a project a question."`
	Version     versionCommand     `cmd:"" help:"Print the version."`
	DevS3       devS3Command       `cmd:"" name:"dev-s3" hidden:"" help:"The object storage of docqa dev."`
}

// environment is what a command may use of the process.
type environment struct {
	ctx    context.Context //nolint:containedctx // the process's own, handed to Run methods by kong
	in     io.Reader
	out    io.Writer
	errOut io.Writer
	lookup func(string) (string, bool)
}

func main() {
	os.Exit(run())
}

// run executes the command that the arguments name. It checks first whether this is a child
// that reads a document: there are many of them, and they must not wait until all flags are
// set up.
func run() int {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "sandbox":
			return sandbox.Main(os.Args[2:], os.Stderr)
		case "parse":
			return parsing.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	env := &environment{ctx: ctx, in: os.Stdin, out: os.Stdout, errOut: os.Stderr, lookup: os.LookupEnv}
	parser := kong.Must(&commands{}, kong.Name("docqa"), kong.UsageOnError(),
		kong.Description("The Document Q&A Service: answers from a company's own documents, with citations."))
	parsed, err := parser.Parse(os.Args[1:])
	if err != nil {
		_, _ = fmt.Fprintf(env.errOut, "docqa: %v (see docqa --help)\n", err)
		return exitUsage
	}
	err = parsed.Run(env)
	if settings, ok := errors.AsType[*app.SettingsError](err); ok {
		for _, problem := range settings.Problems {
			_, _ = fmt.Fprintln(env.errOut, problem)
		}
		return exitUsage
	}
	if usage, ok := errors.AsType[usageError](err); ok {
		_, _ = fmt.Fprintf(env.errOut, "docqa: %v\n", usage)
		return exitUsage
	}
	if err != nil {
		// An error that lists several causes spreads over lines.
		_, _ = fmt.Fprintf(env.errOut, "docqa: %s\n", strings.ReplaceAll(err.Error(), "\n\t", " "))
		return exitFailed
	}
	return 0
}
