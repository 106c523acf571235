package mailsink

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"html/template"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
)

//go:embed page/*
var files embed.FS

// pages serves the received messages.
type pages struct {
	kept      *store
	logger    *slog.Logger
	templates *template.Template
}

func pagesOf(kept *store, logger *slog.Logger) http.Handler {
	p := &pages{kept: kept, logger: logger, templates: template.Must(template.ParseFS(files, "page/*.html"))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.list)
	mux.HandleFunc("GET /messages/{name}", p.show)
	mux.HandleFunc("GET /messages/{name}/html", p.html)
	mux.HandleFunc("GET /api/messages", p.api)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "page/style.css")
	})
	return p.guard(mux)
}

// guard refuses requests to any other host name than those of loopback, because somebody
// could make a name resolve to this machine and read the mail from a web page. It also sets
// the headers that every answer has.
func (p *pages) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "unknown host", http.StatusMisdirectedRequest)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// entry is a message with its name.
type entry struct {
	Name string
	message
}

func (p *pages) list(w http.ResponseWriter, r *http.Request) {
	var entries []entry
	for _, name := range p.kept.newest() {
		m, err := p.kept.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // forgotten meanwhile
		}
		if err != nil {
			p.fail(w, r, err)
			return
		}
		m.Text, m.HTML = "", "" // thousands of bodies are not needed for a list
		entries = append(entries, entry{name, m})
	}
	p.render(w, r, "list.html", entries)
}

func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	m, err := p.kept.read(r.PathValue("name"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, "message.html", entry{r.PathValue("name"), m})
}

// html answers the HTML of a message in a sandbox: without scripts, forms and anything from
// other hosts.
func (p *pages) html(w http.ResponseWriter, r *http.Request) {
	m, err := p.kept.read(r.PathValue("name"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
	_, _ = w.Write([]byte(m.HTML))
}

// api answers all messages, the newest first, or those to one recipient (?to=). It writes
// them one by one, because together they may be large.
func (p *pages) api(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	w.Header().Set("Content-Type", "application/json")
	separator := "["
	for _, name := range p.kept.newest() {
		m, err := p.kept.read(name)
		if err != nil || (to != "" && !sentTo(m, to)) {
			continue
		}
		text, err := json.Marshal(m)
		if err != nil {
			continue
		}
		if _, err := w.Write(append([]byte(separator), text...)); err != nil {
			return
		}
		separator = ","
	}
	if separator == "[" {
		_, _ = w.Write([]byte("["))
	}
	_, _ = w.Write([]byte("]\n"))
}

func (p *pages) render(w http.ResponseWriter, r *http.Request, name string, data any) {
	var page bytes.Buffer
	if err := p.templates.ExecuteTemplate(&page, name, data); err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = page.WriteTo(w)
}

func (p *pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return
	}
	p.logger.ErrorContext(r.Context(), "the mail cannot be shown", "error", err)
	http.Error(w, "the mail cannot be shown", http.StatusInternalServerError)
}
