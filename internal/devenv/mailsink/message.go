package mailsink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// maxDepth is how deep the parts of a message may be nested.
const maxDepth = 5

// message is a stored mail. From and To are those of the envelope.
type message struct {
	From       string
	To         []string
	Subject    string
	Text       string
	HTML       string
	ReceivedAt time.Time
}

// MarshalJSON writes the message as the API answers it.
func (m message) MarshalJSON() ([]byte, error) {
	return json.Marshal(wire{m.From, m.To, m.Subject, m.Text, m.HTML, m.ReceivedAt.UTC().Format("2006-01-02T15:04:05.000Z07:00")})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *message) UnmarshalJSON(data []byte) error {
	var w wire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, w.ReceivedAt)
	*m = message{w.From, w.To, w.Subject, w.Text, w.HTML, at}
	return err
}

type wire struct {
	From       string   `json:"from"`
	To         []string `json:"to"`
	Subject    string   `json:"subject"`
	Text       string   `json:"text"`
	HTML       string   `json:"html"`
	ReceivedAt string   `json:"receivedAt"`
}

// parse reads subject and bodies. A malformed mail is shown as it was received.
func parse(raw []byte) message {
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return message{Text: clean(raw)}
	}
	var m message
	words := mime.WordDecoder{}
	if m.Subject, err = words.DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		m.Subject = parsed.Header.Get("Subject")
	}
	m.Subject = clean([]byte(m.Subject))
	m.read(textproto.MIMEHeader(parsed.Header), parsed.Body, 0)
	return m
}

// read finds the first text and the first HTML of an entity and its parts.
func (m *message) read(header textproto.MIMEHeader, body io.Reader, depth int) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	disposition, _, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	switch {
	case disposition == "attachment" || depth > maxDepth:
	case strings.HasPrefix(kind, "multipart/"):
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err != nil {
				return
			}
			m.read(part.Header, part, depth+1)
		}
	case kind == "text/plain" && m.Text == "":
		m.Text = decode(header, body)
	case kind == "text/html" && m.HTML == "":
		m.HTML = decode(header, body)
	}
}

func decode(header textproto.MIMEHeader, body io.Reader) string {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	text, _ := io.ReadAll(body) // what can be read of a broken one is shown
	return strings.ReplaceAll(clean(text), "\r\n", "\n")
}

// clean returns the text without what JSON and a page cannot contain.
func clean(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }

// sentTo tells whether the address is a recipient.
func sentTo(m message, address string) bool {
	return slices.ContainsFunc(m.To, func(to string) bool { return strings.EqualFold(to, address) })
}
