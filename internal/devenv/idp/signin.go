package idp

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page/*
var files embed.FS

var pages = template.Must(template.ParseFS(files, "page/*.html")) //nolint:gochecknoglobals // read only

// cookieName is the cookie that identifies a browser during the sign-in.
const cookieName = "docqa_sign_in"

// signInPage is the page on which people enter their password.
type signInPage struct {
	storage *storage
	secure  bool
	logger  *slog.Logger
}

// view is what the page shows.
type view struct {
	Request, Token, Email, Message string
}

// show answers the page of a sign-in.
func (p *signInPage) show(w http.ResponseWriter, r *http.Request) {
	request, err := p.storage.request(r.Context(), r.URL.Query().Get("request"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	cookie := p.cookie(w, r)
	ours, err := p.storage.bind(r.Context(), request.id, digest(cookie))
	if err == nil && !ours {
		err = errNoRequest
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	p.render(w, r, http.StatusOK, request, view{Request: request.id, Token: formToken(cookie)})
}

// submit checks the password and sends the browser on.
func (p *signInPage) submit(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "malformed form", http.StatusBadRequest)
		return
	}
	request, err := p.storage.request(r.Context(), r.PostForm.Get("request"))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	cookie := p.sentCookie(r)
	token := []byte(r.PostForm.Get("token"))
	if subtle.ConstantTimeCompare(token, []byte(formToken(cookie))) != 1 || !bytes.Equal(request.browser, digest(cookie)) {
		p.fail(w, r, errNoRequest)
		return
	}
	email, password := r.PostForm.Get("email"), r.PostForm.Get("password")
	sub, refusal, err := p.signIn(r.Context(), email, password, remote(r))
	switch {
	case err != nil:
		p.fail(w, r, err)
	case refusal != nil:
		if refusal.status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "300")
		}
		p.render(w, r, refusal.status, request, view{Request: request.id, Token: formToken(cookie), Email: email, Message: refusal.message})
	default:
		if err := p.storage.finish(r.Context(), request.id, digest(cookie), sub); err != nil {
			p.fail(w, r, err)
			return
		}
		http.Redirect(w, r, "/authorize/callback?id="+url.QueryEscape(request.id), http.StatusSeeOther)
	}
}

// refusal is the reason why a sign-in is refused.
type refusal struct {
	status  int
	message string
}

// signIn returns the account of the password, or the reason for the refusal.
func (p *signInPage) signIn(ctx context.Context, email, password, from string) (string, *refusal, error) {
	wrong := &refusal{http.StatusUnauthorized, "The e-mail address or the password is wrong."}
	email, err := normalise(email)
	if err != nil || len(password) > 1024 {
		return "", wrong, nil //nolint:nilerr // an answer for a person: it is not our failure
	}
	limited, err := p.storage.tooManyFailures(ctx, email, from)
	if err != nil {
		return "", nil, err
	}
	if limited {
		return "", &refusal{http.StatusTooManyRequests, "Too many attempts. Try again in five minutes."}, nil
	}
	who, err := p.storage.accountByEmail(ctx, email)
	if err != nil {
		return "", nil, err
	}
	right, err := p.storage.hasher.check(ctx, password, who.hash)
	if err != nil {
		return "", nil, err
	}
	if !right {
		return "", wrong, p.storage.countFailure(ctx, email, from)
	}
	return who.sub, nil, nil
}

// sameBrowser lets only the browser that signed in fetch the code.
func (p *signInPage) sameBrowser(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := p.storage.request(r.Context(), r.URL.Query().Get("id"))
		if err == nil && !bytes.Equal(request.browser, digest(p.sentCookie(r))) {
			err = errNoRequest
		}
		if err != nil {
			p.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// signedOut is the page after signing out.
func (p *signInPage) signedOut(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, page{http.StatusOK, "message.html", "'self'", view{Message: "You are signed out."}})
}

func (p *signInPage) style(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.ServeFileFS(w, r, files, "page/style.css")
}

// fail answers a sign-in that cannot continue. The answer does not contain the cause.
func (p *signInPage) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, errNoRequest) {
		p.write(w, r, page{http.StatusBadRequest, "message.html", "'self'", view{Message: "This sign-in is over. Go back and begin again."}})
		return
	}
	p.logger.ErrorContext(r.Context(), "sign-in failed", "error", err)
	p.write(w, r, page{http.StatusInternalServerError, "message.html", "'self'", view{Message: "Something went wrong. Try again."}})
}

func (p *signInPage) render(w http.ResponseWriter, r *http.Request, status int, request *authRequest, v view) {
	// The answer to the form redirects to the client, and the browser checks that against the policy as well.
	targets := strings.Join(append([]string{"'self'"}, origins([]string{request.redirectURI})...), " ")
	p.write(w, r, page{status, "sign-in.html", targets, v})
}

// page is an answer of the sign-in pages.
type page struct {
	status   int
	template string
	targets  string // where its forms may go, as the content security policy has it
	view     view
}

func (p *signInPage) write(w http.ResponseWriter, r *http.Request, page page) {
	var body bytes.Buffer
	if err := pages.ExecuteTemplate(&body, page.template, page.view); err != nil {
		p.logger.ErrorContext(r.Context(), "page failed", "error", err)
		http.Error(w, "something went wrong", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action "+page.targets)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(page.status)
	_, _ = body.WriteTo(w)
}

// cookie returns the browser's cookie and sets one if there is none.
func (p *signInPage) cookie(w http.ResponseWriter, r *http.Request) string {
	if sent := p.sentCookie(r); sent != "" {
		return sent
	}
	value := rand.Text()
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: "/", HttpOnly: true, Secure: p.secure, SameSite: http.SameSiteLaxMode,
	})
	return value
}

func (p *signInPage) sentCookie(r *http.Request) string {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// formToken proves that a form comes from a page that this browser loaded.
func formToken(cookie string) string {
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("form"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// remote returns the network address of the request, without its port.
func remote(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
