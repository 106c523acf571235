package mailsink

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/smtp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wneessen/go-mail"

	"docqa/internal/platform/clock"
)

func options(dir string) Options {
	return Options{
		Dir: dir, Logger: slog.New(slog.DiscardHandler),
		Clock: clock.Fixed(time.Date(2026, 3, 4, 5, 6, 7, 89_000_000, time.UTC)),
	}
}

func start(t *testing.T, dir string) *Sink {
	t.Helper()
	sink, err := Start(t.Context(), options(dir))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sink.Stop()) })
	return sink
}

func get(t *testing.T, address, host string) (int, http.Header, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	request.Host = host
	answer, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(body)
}

func messages(t *testing.T, sink *Sink, query string) []map[string]any {
	t.Helper()
	status, header, body := get(t, sink.URL()+"/api/messages"+query, "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "application/json", header.Get("Content-Type"))
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &list), body)
	return list
}

func send(t *testing.T, sink *Sink, subject, text, html string, to ...string) {
	t.Helper()
	host, port, err := net.SplitHostPort(sink.SMTPAddr())
	require.NoError(t, err)
	number, err := strconv.Atoi(port)
	require.NoError(t, err)
	m := mail.NewMsg()
	require.NoError(t, m.From("service@example.test"))
	require.NoError(t, m.To(to...))
	m.Subject(subject)
	m.SetBodyString(mail.TypeTextPlain, text)
	m.AddAlternativeString(mail.TypeTextHTML, html)
	client, err := mail.NewClient(host, mail.WithPort(number), mail.WithTLSPolicy(mail.NoTLS))
	require.NoError(t, err)
	require.NoError(t, client.DialAndSendWithContext(t.Context(), m))
}

func TestMailIsReceivedAndKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Start(t.Context(), options(dir))
	require.NoError(t, err)
	require.Empty(t, messages(t, first, ""))
	send(t, first, "Grüße aus Zürich", "Hello,\nworld: 10 €\n", "<p>Hello</p>", "a@example.test", "B@example.test")
	require.NoError(t, first.Stop())
	require.NoError(t, first.Stop())

	second := start(t, dir)
	list := messages(t, second, "")
	require.Len(t, list, 1)
	require.Equal(t, map[string]any{
		"from": "service@example.test", "to": []any{"a@example.test", "B@example.test"}, "subject": "Grüße aus Zürich",
		"text": "Hello,\nworld: 10 €\n", "html": "<p>Hello</p>", "receivedAt": "2026-03-04T05:06:07.089Z",
	}, list[0])
	require.Len(t, messages(t, second, "?to=b@example.test"), 1)
	require.Empty(t, messages(t, second, "?to=c@example.test"))
}

func TestPagesShowHostileMailAsText(t *testing.T) {
	t.Parallel()
	sink := start(t, t.TempDir())
	const script = `<script>alert(1)</script>`
	send(t, sink, script, script, script+`<img src="https://elsewhere.example.com/x">`, "a@example.test")

	status, header, body := get(t, sink.URL()+"/", "")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, body, script)
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	_, after, found := strings.Cut(body, `href="/messages/`)
	require.True(t, found)
	name, _, _ := strings.Cut(after, `"`)

	status, _, body = get(t, sink.URL()+"/messages/"+name, "")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, body, script)
	require.Contains(t, body, "&lt;script&gt;")

	status, header, body = get(t, sink.URL()+"/messages/"+name+"/html", "")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, script)
	require.True(t, strings.HasPrefix(header.Get("Content-Security-Policy"), "sandbox; default-src 'none'"))

	for _, path := range []string{"/messages/..%2f..%2fpasswd", "/messages/none", "/other"} {
		status, _, _ = get(t, sink.URL()+path, "")
		require.Equal(t, http.StatusNotFound, status, path)
	}
	status, _, _ = get(t, sink.URL()+"/api/messages", "rebound.example.com")
	require.Equal(t, http.StatusMisdirectedRequest, status)
}

func TestTooLargeMessageIsRefused(t *testing.T) {
	t.Parallel()
	sink := start(t, t.TempDir())
	line := strings.Repeat("x", 998) + "\r\n"
	body := "Subject: large\r\n\r\n" + strings.Repeat(line, maxMessage/1000+1)
	err := smtp.SendMail(sink.SMTPAddr(), nil, "a@example.test", []string{"b@example.test"}, []byte(body))
	require.ErrorContains(t, err, "552")
	require.Empty(t, messages(t, sink, ""))
}

func TestOldestMessagesAreDeleted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept, err := openStore(dir)
	require.NoError(t, err)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range maxKept + 5 {
		require.NoError(t, kept.add(message{Subject: strconv.Itoa(i), ReceivedAt: at.Add(time.Duration(i) * time.Second)}))
	}
	kept, err = openStore(dir)
	require.NoError(t, err)
	names := kept.newest()
	require.Len(t, names, maxKept)
	newest, err := kept.read(names[0])
	require.NoError(t, err)
	require.Equal(t, strconv.Itoa(maxKept+4), newest.Subject)
}

func TestParse(t *testing.T) {
	t.Parallel()
	nested := "Content-Type: text/plain\r\n\r\ndeep\r\n"
	for depth := range maxDepth + 3 {
		nested = fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n%s\r\n--b%d--\r\n", depth, depth, nested, depth)
	}
	for name, tt := range map[string]struct{ raw, text, html string }{
		"no headers at all": {raw: "\x00\xff", text: "\x00\uFFFD"},
		"plain":             {raw: "Subject: x\r\n\r\nhello\r\n", text: "hello\n"},
		"base64":            {raw: "Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+\r\n", html: "<b>"},
		"broken base64":     {raw: "Content-Transfer-Encoding: base64\r\n\r\naGVs!!\r\n", text: "hel"},
		"attachment":        {raw: "Content-Type: text/plain\r\nContent-Disposition: attachment; filename=x\r\n\r\nsecret\r\n"},
		"no boundary":       {raw: "Content-Type: multipart/mixed\r\n\r\n--\r\nx\r\n"},
		"too deep":          {raw: nested},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := parse([]byte(tt.raw))
			require.Equal(t, tt.text, got.Text)
			require.Equal(t, tt.html, got.HTML)
		})
	}
}
