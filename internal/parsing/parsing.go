package parsing

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"docqa/internal/apperr"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/sandbox"
)

// Options configure a Parser.
type Options struct {
	Self      string // path of the service's own binary
	PDFToText string // path of poppler's pdftotext; "" = look it up, "none" = there is none
	Scratch   string // folder for the children's folders; "" = the system's
	Limits    sandbox.Limits
}

// Parser reads documents. It is safe for concurrent use.
type Parser struct {
	run       *sandbox.Runner
	pdftotext program // path "": there is none
	limits    sandbox.Limits
}

// New returns a parser. Where pdftotext is missing, PDF is refused, see Check.
func New(o Options) *Parser {
	p := &Parser{run: sandbox.New(o.Self, o.Scratch), limits: o.Limits}
	path := o.PDFToText
	if path == "" {
		path, _ = exec.LookPath("pdftotext")
	}
	if path != "" && path != "none" {
		p.pdftotext = locate(path)
	}
	if p.limits.Wall == 0 {
		p.limits.Wall = 28 * time.Second
	}
	return p
}

// Walls tells what the children that read files are confined with.
func (p *Parser) Walls(ctx context.Context) sandbox.Walls { return p.run.Walls(ctx) }

// Sniff returns the format of a file by its name, media type and first
// parse.HeadBytes bytes: a 400 unsupported_format where it is none that can be read.
func (p *Parser) Sniff(name, contentType string, head []byte) (parse.Format, error) {
	f, err := parse.Sniff(name, contentType, head)
	if err != nil {
		return "", translate(err)
	}
	return f, p.Check(f)
}

// Named returns the format that a file will be read as, before its bytes are there:
// a 400 unsupported_format where it is none that can be read.
func (p *Parser) Named(name, contentType string) (parse.Format, error) {
	f, err := parse.Name(name, contentType)
	if err != nil {
		return "", translate(err)
	}
	return f, p.Check(f)
}

// Check tells whether files of format f can be read on this machine: an
// unsupported_format where the program for it is missing.
func (p *Parser) Check(f parse.Format) error {
	if f == parse.PDF && p.pdftotext.path == "" {
		return apperr.Invalid(parse.CodeUnsupported, "PDF files cannot be read on this server: pdftotext is not installed")
	}
	return nil
}

// Parse reads the file of format f from r in a child process. The codes of its
// errors are those of package parse; all are of kind InvalidInput, but for timeout.
func (p *Parser) Parse(ctx context.Context, f parse.Format, r io.Reader) (*doc.Document, error) {
	if err := p.Check(f); err != nil {
		return nil, err
	}
	var d *doc.Document
	err := p.run.Run(ctx, p.child(f, r), func(out io.Reader) error {
		var err error
		d, err = receive(out)
		return err
	})
	if err != nil {
		return nil, translate(err)
	}
	return d, nil
}

// What a child may use. A book of 2,000 pages needs half of what is left to the reader
// of its words; pdftotext needs 8 MB for most files.
const (
	programMemory = 128 << 20       // of pdftotext
	markupTime    = 2 * time.Second // for a file of Markdown or HTML, processor time
)

// child is the command that reads a file of format f.
func (p *Parser) child(f parse.Format, r io.Reader) sandbox.Cmd {
	c := sandbox.Cmd{Args: []string{"parse", string(f)}, Stdin: r, Limits: p.limits}
	switch f {
	case parse.PDF:
		c.Args = append(c.Args, p.pdftotext.path, p.pdftotext.libraries)
		c.Reads, c.Limits.Program = p.pdftotext.reads, programMemory
	case parse.Markdown, parse.HTML:
		c.Limits.CPU = markupTime
	case parse.Text:
	}
	return c
}

// receive reads the child's answer.
func receive(out io.Reader) (*doc.Document, error) {
	var first [1]byte
	if _, err := io.ReadFull(out, first[:]); err != nil {
		return nil, parse.Failed(err)
	}
	switch first[0] {
	case answerDocument:
		d, err := doc.Decode(out)
		if err != nil {
			return nil, parse.Failed(err)
		}
		return d, nil
	case answerError:
		var f fault
		if err := gob.NewDecoder(out).Decode(&f); err != nil {
			return nil, parse.Failed(err)
		}
		return nil, &parse.Error{Code: f.Code, Message: f.Message}
	}
	return nil, parse.Failed(fmt.Errorf("unknown answer %q", first[0]))
}

// translate makes the faults of a file those of the service; other errors, such as a
// full disk, stay as they are.
func translate(err error) error {
	e, ok := errors.AsType[*parse.Error](err)
	exit, crashed := errors.AsType[*sandbox.ExitError](err)
	switch {
	case errors.Is(err, sandbox.ErrTimeout):
		e = parse.TimedOut()
	case errors.Is(err, sandbox.ErrOutput):
		e = parse.TooLong()
	case crashed && strings.Contains(exit.Stderr, "memory"): // what the Go runtime says when it has none left
		e = parse.TooLong()
	case crashed:
		e = parse.Failed(err)
	case !ok:
		return err
	}
	kind := apperr.InvalidInput
	if e.Code == parse.CodeTimeout {
		kind = apperr.Timeout
	}
	return apperr.New(kind, e.Code, e.Message).Wrap(err)
}
