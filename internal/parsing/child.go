package parsing

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/engine/parse/read"
	"docqa/internal/sandbox"
)

// The first byte of the child's answer says what follows.
const (
	answerDocument = 'D'
	answerError    = 'E'
)

// eager is the part of its memory, in percent, from which the child collects garbage
// eagerly: the kernel also counts what the runtime has set aside.
const eager = 60

// fault is a parse.Error on its way from the child.
type fault struct{ Code, Message string }

// Main is the child's side of Parse: args are the confinement, the format and, for PDF,
// the path of pdftotext and the folder of its libraries; the file comes on stdin, the document leaves on stdout. It
// returns the exit code.
func Main(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	if len(args) < 2 {
		fmt.Fprintln(stderr, "usage: docqa parse CONFINEMENT FORMAT [PDFTOTEXT LIBRARIES]")
		return 2
	}
	share, err := sandbox.Confine(args[0])
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	debug.SetGCPercent(400) // a short life: collect late, as long as there is room
	debug.SetMemoryLimit(share.Data * eager / 100)
	var d *doc.Document
	if f := parse.Format(args[1]); f == parse.PDF && len(args) > 3 {
		d, err = readPDF(share, args[2], args[3], stdin)
	} else {
		d, err = read.Document(f, stdin)
	}
	if err := answer(stdout, d, err); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// answer writes the document, or what was wrong with the file.
func answer(w io.Writer, d *doc.Document, err error) error {
	e, ok := errors.AsType[*parse.Error](err)
	switch {
	case ok:
		if _, err := w.Write([]byte{answerError}); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		return gob.NewEncoder(w).Encode(fault{Code: e.Code, Message: e.Message})
	case err != nil:
		return err
	}
	if _, err := w.Write([]byte{answerDocument}); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return doc.Encode(w, d)
}

// readPDF runs pdftotext, which inherits the confinement, and reads its words.
func readPDF(share sandbox.Share, pdftotext, libraries string, stdin *os.File) (*doc.Document, error) {
	in, err := seekable(stdin)
	if err != nil {
		return nil, err
	}
	// one page more than allowed shows that there are too many
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

// broken says why pdftotext gave up.
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

// seekable returns stdin where it is a file, else a copy of it in the scratch folder.
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

// limited keeps the first bytes that are written to it.
type limited struct{ b *bytes.Buffer }

// Write never fails.
func (l *limited) Write(p []byte) (int, error) {
	if room := 4096 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
