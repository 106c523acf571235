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

// New returns a parser. If pdftotext is missing, the parser refuses PDF; see Check.
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

// Sniff returns the format of a file by its name, media type and first parse.HeadBytes bytes.
// Error: apperr.Invalid unsupported_format if it cannot be read.
func (p *Parser) Sniff(name, contentType string, head []byte) (parse.Format, error) {
	f, err := parse.Sniff(name, contentType, head)
	if err != nil {
		return "", translate(err)
	}
	return f, p.Check(f)
}

// Named returns the format of a file by its name and media type alone. Error: apperr.Invalid
// unsupported_format if it cannot be read.
func (p *Parser) Named(name, contentType string) (parse.Format, error) {
	f, err := parse.Name(name, contentType)
	if err != nil {
		return "", translate(err)
	}
	return f, p.Check(f)
}

// Check fails with apperr.Invalid unsupported_format if files of format f cannot be read on this
// machine, because the program for it is missing.
func (p *Parser) Check(f parse.Format) error {
	if f == parse.PDF && p.pdftotext.path == "" {
		return apperr.Invalid(parse.CodeUnsupported, "PDF files cannot be read on this server: pdftotext is not installed")
	}
	return nil
}

// Request is a file to read, and how to cut it.
type Request struct {
	Format   parse.Format
	File     *os.File // read from its current position
	Title    string   // of the document; it is indexed with every chunk
	Chunking chunk.Options
}

// Read runs a child process that reads the file and cuts it into chunks with their terms. It
// checks each record of the child's chunk file and copies it to out, and so holds one chunk at a
// time. Its errors have the codes of package parse; all are of kind InvalidInput, except for
// timeout. Errors of out are returned unchanged.
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

// What a child may use. pdftotext needs 8 MB for most files. The rest is for the reader of its
// output, which needs half of it for a book of 2,000 pages.
const (
	programMemory = 128 << 20       // of pdftotext
	markupTime    = 2 * time.Second // for a small file of Markdown or HTML, processor time
	timePerMB     = time.Second     // more for each megabyte
	maxTime       = 20 * time.Second
)

// child returns the command that reads a file.
func (p *Parser) child(req Request) sandbox.Cmd {
	c := sandbox.Cmd{Args: append([]string{"parse"}, p.task(req).args()...), Stdin: req.File, Limits: p.limits}
	switch req.Format {
	case parse.PDF:
		c.Reads, c.Limits.Program = p.pdftotext.reads, programMemory
	case parse.Markdown, parse.HTML:
		if info, err := req.File.Stat(); err == nil {
			c.Limits.CPU = min(markupTime+time.Duration(info.Size()>>20)*timePerMB, maxTime)
		}
	case parse.Text:
	}
	return c
}

// receive checks the child's answer and copies it to out.
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

// copier is a reader that also writes what it reads to another writer. It stores an error of that
// writer, so that receive can tell it from an error of the reader.
type copier struct {
	from   io.Reader
	to     io.Writer
	failed error
}

// Read reads from the reader and writes the same bytes to the writer.
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

// translate turns the faults of a file into errors of the service. Other errors, such as a full
// disk, stay unchanged.
func translate(err error) error {
	e, ok := errors.AsType[*parse.Error](err)
	exit, crashed := errors.AsType[*sandbox.ExitError](err)
	switch {
	case errors.Is(err, sandbox.ErrTimeout):
		e = parse.TimedOut()
	case errors.Is(err, sandbox.ErrOutput):
		e = parse.TooLong()
	case crashed && strings.Contains(exit.Stderr, "memory"): // the message of the Go runtime when memory is used up
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
