package parsing

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/parse"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/sandbox"
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
	if p.limits.Duration == 0 {
		p.limits.Duration = 28 * time.Second
	}
	return p
}

// Isolation returns what the kernel offers to confine the children that read files.
func (p *Parser) Isolation(ctx context.Context) sandbox.Isolation { return p.run.Isolation(ctx) }

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

// Request is a file to read, and how it is cut.
type Request struct {
	Format   parse.Format
	File     *os.File // read from its present place
	Title    string   // of the document; it counts with every chunk
	Chunking chunk.Options
}

// Read has a child process read, cut and index the file, and copies the chunk file that it
// answers to out, each record checked. It holds one chunk at a time, whatever the file. The
// codes of its errors are those of package parse; all are of kind InvalidInput, but for
// timeout. Errors of out are returned as they are.
func (p *Parser) Read(ctx context.Context, req Request, out io.Writer) (*chunkfile.Summary, error) {
	if err := p.Check(req.Format); err != nil {
		return nil, err
	}
	var s *chunkfile.Summary
	err := p.run.Run(ctx, p.child(req), func(answer io.Reader) error {
		var err error
		s, err = receive(answer, out)
		return err
	})
	if err != nil {
		return nil, translate(err)
	}
	return s, nil
}

// What a child may use. A book of 2,000 pages needs half of what is left to the reader
// of its words; pdftotext needs 8 MB for most files.
const (
	programMemory = 128 << 20       // of pdftotext
	markupTime    = 2 * time.Second // for a small file of Markdown or HTML, processor time
	timePerMB     = time.Second     // besides, for each megabyte
	mostTime      = 20 * time.Second
)

// child is the command that reads a file.
func (p *Parser) child(req Request) sandbox.Cmd {
	c := sandbox.Cmd{Args: append([]string{"parse"}, p.task(req).args()...), Stdin: req.File, Limits: p.limits}
	switch req.Format {
	case parse.PDF:
		c.Reads, c.Limits.Program = p.pdftotext.reads, programMemory
	case parse.Markdown, parse.HTML:
		if info, err := req.File.Stat(); err == nil {
			c.Limits.CPU = min(markupTime+time.Duration(info.Size()>>20)*timePerMB, mostTime)
		}
	case parse.Text:
	}
	return c
}

// receive copies the child's answer to out while it is checked.
func receive(answer io.Reader, out io.Writer) (*chunkfile.Summary, error) {
	copying := &copier{from: answer, to: out}
	r := chunkfile.NewReader(copying)
	for {
		_, err := r.Next()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return r.Summary(), nil
		case copying.failed != nil:
			return nil, copying.failed
		case errors.Is(err, chunkfile.ErrMalformed):
			return nil, parse.Failed(err)
		default:
			return nil, err
		}
	}
}

// copier is a reader that writes what it reads to another place, whose errors it keeps apart.
type copier struct {
	from   io.Reader
	to     io.Writer
	failed error
}

// Read reads on and writes what it has read.
func (c *copier) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if n > 0 && c.failed == nil {
		_, c.failed = c.to.Write(p[:n])
	}
	if c.failed != nil {
		return 0, c.failed
	}
	return n, err
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
	kind := apperr.KindInvalidInput
	if e.Code == parse.CodeTimeout {
		kind = apperr.KindTimeout
	}
	return apperr.New(kind, apperr.Code(e.Code), e.Message).Wrap(err)
}
