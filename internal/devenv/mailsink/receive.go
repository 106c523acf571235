package mailsink

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/emersion/go-smtp"

	"docqa/internal/platform/clock"
)

// receiver is the SMTP server. It accepts mail from any sender to any recipient.
func receiver(kept *store, opts Options) *smtp.Server {
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{kept: kept, clock: opts.Clock, logger: opts.Logger}, nil
	}))
	server.Domain = "localhost"
	server.MaxMessageBytes = maxMessage
	server.MaxRecipients = maxRecipients
	server.ReadTimeout = time.Minute
	server.WriteTimeout = time.Minute
	return server
}

// session is one connection, with the envelope of the current message.
type session struct {
	kept   *store
	clock  clock.Clock
	logger *slog.Logger
	from   string
	to     []string
}

// Mail begins a message.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

// Rcpt adds a recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data stores the message. The server bounds its size.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	message := parse(raw)
	message.From, message.To, message.ReceivedAt = s.from, s.to, s.clock.Now()
	if err := s.kept.add(message); err != nil {
		s.logger.ErrorContext(context.Background(), "store the mail", "error", err)
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "The message could not be stored"}
	}
	return nil
}

// Reset drops the current message.
func (s *session) Reset() { s.from, s.to = "", nil }

// Logout does nothing.
func (s *session) Logout() error { return nil }
