package parsing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/read"
	"docqa/internal/platform/sandbox"
)

// eager is the share of its memory, in percent, above which the child collects garbage often. It
// is below 100, because the kernel also counts memory that the Go runtime holds and does not use.
const eager = 60

// task is what a child needs to know besides the file.
type task struct {
	format    parse.Format
	pdftotext string // its path; set only for PDF
	libraries string // folder of its libraries
	title     string
	chunking  chunk.Options
}

func (p *Parser) task(req Request) task {
	t := task{format: req.Format, title: req.Title, chunking: req.Chunking}
	if req.Format == parse.PDF {
		t.pdftotext, t.libraries = p.pdftotext.path, p.pdftotext.libraries
	}
	return t
}

// args returns the arguments that follow the confinement.
func (t task) args() []string {
	o := t.chunking
	return []string{string(t.format), t.pdftotext, t.libraries, t.title, strconv.Itoa(o.Words), strconv.Itoa(o.Characters), strconv.Itoa(o.Overlap)}
}

// taskOf reads the arguments that args returns.
func taskOf(args []string) (t task, err error) {
	if len(args) != 7 {
		return t, errors.New("usage: docqa parse CONFINEMENT FORMAT PDFTOTEXT LIBRARIES TITLE WORDS CHARACTERS OVERLAP")
	}
	t = task{format: parse.Format(args[0]), pdftotext: args[1], libraries: args[2], title: args[3]}
	for i, n := range []*int{&t.chunking.Words, &t.chunking.Characters, &t.chunking.Overlap} {
		if *n, err = strconv.Atoi(args[4+i]); err != nil {
			return t, fmt.Errorf("read the arguments: %w", err)
		}
	}
	return t, nil
}

// Main is the child's side of Read. args are the confinement and the task. It reads the file from
// stdin, writes the chunk file to stdout and returns the exit code.
func Main(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	if err := work(args, stdin, stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	return 0
}

func work(args []string, stdin *os.File, stdout io.Writer) error {
	t, err := taskOf(args[min(len(args), 1):])
	if err != nil {
		return err
	}
	share, err := sandbox.Confine(args[0])
	if err != nil {
		return err
	}
	debug.SetGCPercent(400) // the process is short: collect garbage rarely while there is memory
	debug.SetMemoryLimit(share.Data * eager / 100)
	var d *doc.Document
	if t.format == parse.PDF {
		d, err = readPDF(share, t.pdftotext, t.libraries, stdin)
	} else {
		d, err = read.Document(t.format, stdin)
	}
	if e, ok := errors.AsType[*parse.Error](err); ok {
		return chunkfile.NewWriter(stdout).Fail(e)
	}
	if err != nil {
		return err
	}
	return chunkfile.Write(stdout, d, t.title, t.chunking)
}

// readPDF runs pdftotext, which inherits the confinement, and reads its output.
func readPDF(share sandbox.Share, pdftotext, libraries string, stdin *os.File) (*doc.Document, error) {
	in, err := seekable(stdin)
	if err != nil {
		return nil, err
	}
	// one page more than the limit, to notice a document that has too many
	cmd := share.Program(pdftotext, "-tsv", "-enc", "UTF-8", "-l", strconv.Itoa(parse.MaxPages+1), "-", "-")
	cmd.Stdin = in
	if libraries != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+libraries)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &limited{b: &stderr}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start pdftotext: %w", err)
	}
	d, readErr := read.Document(parse.PDF, out)
	if code := parse.CodeOf(readErr); code == parse.CodePages || code == parse.CodeTooLong {
		return nil, readErr // pdftotext is killed with this process
	}
	if err := cmd.Wait(); err != nil {
		return nil, broken(err, stderr.String())
	}
	return d, readErr
}

// broken returns the error for a pdftotext that failed.
func broken(err error, stderr string) error {
	e, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case !ok:
		return fmt.Errorf("run pdftotext: %w", err)
	case e.ExitCode() == 3, strings.Contains(stderr, "Incorrect password"):
		return parse.PasswordProtected()
	}
	if ws, ok := e.Sys().(syscall.WaitStatus); ok && ws.Signaled() && (ws.Signal() == syscall.SIGXCPU || ws.Signal() == syscall.SIGKILL) {
		return parse.TimedOut()
	}
	return parse.Failed(err)
}

// seekable returns stdin if it is a file, else a copy of it in the scratch folder.
func seekable(stdin *os.File) (*os.File, error) {
	if info, err := stdin.Stat(); err == nil && info.Mode().IsRegular() {
		return stdin, nil
	}
	f, err := os.CreateTemp(".", "in-*.pdf")
	if err != nil {
		return nil, fmt.Errorf("make copy: %w", err)
	}
	n, err := io.Copy(f, io.LimitReader(stdin, parse.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("copy file: %w", err)
	}
	if n > parse.MaxBytes {
		return nil, parse.TooLong()
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("rewind copy: %w", err)
	}
	return f, nil
}

// limited stores the first 4096 bytes that are written to it and drops the rest.
type limited struct{ b *bytes.Buffer }

// Write never fails.
func (l *limited) Write(p []byte) (int, error) {
	if free := 4096 - l.b.Len(); free > 0 {
		l.b.Write(p[:min(len(p), free)])
	}
	return len(p), nil
}
