package mailsink

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/emersion/go-smtp"

	"docqa/internal/devenv/loopback"
	"docqa/internal/platform/clock"
)

const (
	// maxMessage bounds the size of a message, in bytes.
	maxMessage = 10 << 20
	// maxRecipients bounds the recipients of a message.
	maxRecipients = 100
	// maxKept is how many messages are stored; the oldest ones are deleted.
	maxKept = 1000
)

// Options says where mail is stored and where to listen.
type Options struct {
	// Dir is where messages are stored; Start creates it.
	Dir string
	// The ports of the SMTP server and of the page.
	SMTPPort, WebPort loopback.Port
	Clock             clock.Clock
	Logger            *slog.Logger
}

// Sink is a running mail sink.
type Sink struct {
	smtp              *smtp.Server
	web               *http.Server
	smtpAddr, webURL  string
	smtpPort, webPort int
}

// Start receives mail and serves the page on 127.0.0.1 until Stop.
func Start(ctx context.Context, opts Options) (*Sink, error) {
	kept, err := openStore(opts.Dir)
	if err != nil {
		return nil, err
	}
	mail, err := loopback.Listen(ctx, opts.SMTPPort)
	if err != nil {
		return nil, err
	}
	web, err := loopback.Listen(ctx, opts.WebPort)
	if err != nil {
		return nil, errors.Join(err, mail.Close())
	}
	s := &Sink{
		smtpAddr: mail.Addr().String(), webURL: "http://" + web.Addr().String(),
		smtpPort: loopback.NumberOf(mail), webPort: loopback.NumberOf(web),
		smtp: receiver(kept, opts), web: &http.Server{Handler: pagesOf(kept, opts.Logger), ReadHeaderTimeout: 10 * time.Second},
	}
	go s.report(ctx, opts.Logger, func() error { return s.smtp.Serve(mail) })
	go s.report(ctx, opts.Logger, func() error { return s.web.Serve(web) })
	return s, nil
}

func (s *Sink) report(ctx context.Context, logger *slog.Logger, serve func() error) {
	err := serve()
	if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		logger.ErrorContext(ctx, "mail sink failed", "error", err)
	}
}

// SMTPAddr returns host and port of the SMTP server.
func (s *Sink) SMTPAddr() string { return s.smtpAddr }

// SMTPPort returns the port of the SMTP server.
func (s *Sink) SMTPPort() int { return s.smtpPort }

// WebPort returns the port of the page.
func (s *Sink) WebPort() int { return s.webPort }

// URL returns the address of page and API, without a path.
func (s *Sink) URL() string { return s.webURL }

// Stop ends both servers. It may be called again.
func (s *Sink) Stop() error {
	err := s.smtp.Close()
	if errors.Is(err, smtp.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return errors.Join(err, s.web.Close())
}
