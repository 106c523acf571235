// Package command holds what the commands of the evaluation have in common: signals, exit codes, and the files that they write.
//
// It knows no measurement. Its invariant: an error is printed once, and the exit code is then 1.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a command. The context is cancelled by SIGINT and SIGTERM. An error ends the process with exit code 1.
func Main(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// WithLog creates the file at path, calls do with it and closes it.
func WithLog(path string, do func(log io.Writer) error) (err error) {
	log, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	return do(log)
}

// WriteJSON writes v to the file at path. An empty path means that no file is wanted.
func WriteJSON(path string, v any) error {
	if path == "" {
		return nil
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
