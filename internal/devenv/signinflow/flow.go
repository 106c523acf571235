package signinflow

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// ErrRefused says that the provider's page did not accept e-mail and password.
var ErrRefused = errors.New("the sign-in page refused the e-mail address or the password")

const (
	// maxAnswer bounds what is read of one answer, in bytes.
	maxAnswer = 1 << 20
	// maxSteps bounds the redirects of a sign-in.
	maxSteps = 10
)

// Request says who signs in, and where.
type Request struct {
	Issuer, ClientID string
	// RedirectURI is an address to which the provider may send the client. Nothing needs to
	// listen there.
	RedirectURI     string
	Email, Password string
}

// Tokens are the tokens that the provider issued.
type Tokens struct {
	AccessToken, IDToken string
	// Lifetime is how long the access token is valid.
	Lifetime time.Duration
}

// Token signs in and returns the access token and, if the token is a JWT, when it expires.
// The errors are those of SignIn.
func Token(ctx context.Context, want Request) (string, time.Time, error) {
	tokens, err := SignIn(ctx, want)
	if err != nil {
		return "", time.Time{}, err
	}
	return tokens.AccessToken, expiry(tokens.AccessToken), nil
}

// expiry reads when a JWT expires. It returns zero for other tokens. Nothing depends on the
// result, so it does not verify the signature.
func expiry(token string) time.Time {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	var claims struct {
		Expires int64 `json:"exp"`
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(payload, &claims) != nil || claims.Expires == 0 {
		return time.Time{}
	}
	return time.Unix(claims.Expires, 0).UTC()
}

// SignIn signs in. The error is ErrRefused if the page did not accept the password.
func SignIn(ctx context.Context, want Request) (Tokens, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return Tokens{}, err
	}
	f := &flow{want: want, client: &http.Client{
		Transport: &http.Transport{DisableKeepAlives: true},
		Jar:       jar,
		Timeout:   30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // authorize follows each redirect itself
		},
	}}
	if err := f.discover(ctx); err != nil {
		return Tokens{}, fmt.Errorf("discovery: %w", err)
	}
	verifier, state := rand.Text()+rand.Text(), rand.Text()
	code, err := f.authorize(ctx, verifier, state)
	if err != nil {
		return Tokens{}, fmt.Errorf("sign-in: %w", err)
	}
	token, err := f.redeem(ctx, code, verifier)
	if err != nil {
		return Tokens{}, fmt.Errorf("token: %w", err)
	}
	return token, nil
}

type flow struct {
	want      Request
	client    *http.Client
	endpoints struct {
		Issuer        string `json:"issuer"`
		Authorization string `json:"authorization_endpoint"`
		Token         string `json:"token_endpoint"`
	}
}

func (f *flow) discover(ctx context.Context) error {
	answer, err := f.get(ctx, strings.TrimSuffix(f.want.Issuer, "/")+"/.well-known/openid-configuration")
	if err != nil {
		return err
	}
	if answer.status != http.StatusOK {
		return fmt.Errorf("status %d", answer.status)
	}
	if err := json.Unmarshal(answer.body, &f.endpoints); err != nil {
		return err
	}
	if f.endpoints.Issuer != f.want.Issuer {
		return fmt.Errorf("the provider calls itself %q", f.endpoints.Issuer)
	}
	return nil
}

// authorize goes from the authorization endpoint through the sign-in page to the redirect URI,
// and returns the code that is sent there.
func (f *flow) authorize(ctx context.Context, verifier, state string) (string, error) {
	sum := sha256.Sum256([]byte(verifier))
	at := f.endpoints.Authorization + "?" + url.Values{
		"response_type": {"code"}, "client_id": {f.want.ClientID}, "redirect_uri": {f.want.RedirectURI},
		"scope": {"openid email"}, "state": {state}, "nonce": {rand.Text()},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}.Encode()
	answer, err := f.get(ctx, at)
	sent := false
	for range maxSteps {
		if err != nil {
			return "", err
		}
		switch {
		case answer.location != nil && f.arrived(answer.location):
			return codeOf(answer.location.Query(), state)
		case answer.location != nil:
			answer, err = f.get(ctx, answer.location.String())
		case sent && (answer.status == http.StatusUnauthorized || answer.status == http.StatusTooManyRequests || answer.status == http.StatusOK):
			return "", fmt.Errorf("%w (status %d)", ErrRefused, answer.status)
		case answer.status == http.StatusOK:
			sent = true
			answer, err = f.fillIn(ctx, answer)
		default:
			return "", fmt.Errorf("status %d: %.200s", answer.status, answer.body)
		}
	}
	return "", errors.New("too many redirects")
}

// arrived says whether the address is the redirect URI, with any query.
func (f *flow) arrived(at *url.URL) bool {
	want, err := url.Parse(f.want.RedirectURI)
	return err == nil && at.Scheme == want.Scheme && at.Host == want.Host && at.Path == want.Path
}

func codeOf(query url.Values, state string) (string, error) {
	if problem := query.Get("error"); problem != "" {
		return "", fmt.Errorf("%s: %s", problem, query.Get("error_description"))
	}
	if query.Get("state") != state {
		return "", errors.New("the provider answered another request")
	}
	return query.Get("code"), nil
}

func (f *flow) fillIn(ctx context.Context, page answer) (answer, error) {
	form, err := findForm(page.body)
	if err != nil {
		return answer{}, err
	}
	target, err := page.at.Parse(form.action)
	if err != nil {
		return answer{}, err
	}
	form.values.Set(form.email, f.want.Email)
	form.values.Set(form.password, f.want.Password)
	return f.post(ctx, target.String(), form.values)
}

func (f *flow) redeem(ctx context.Context, code, verifier string) (Tokens, error) {
	got, err := f.post(ctx, f.endpoints.Token, url.Values{
		"grant_type": {"authorization_code"}, "client_id": {f.want.ClientID}, "redirect_uri": {f.want.RedirectURI},
		"code": {code}, "code_verifier": {verifier},
	})
	if err != nil {
		return Tokens{}, err
	}
	if got.status != http.StatusOK {
		return Tokens{}, fmt.Errorf("status %d: %.200s", got.status, got.body)
	}
	var body struct {
		AccessToken string `json:"access_token"`
		IDToken     string `json:"id_token"`
		ExpiresIn   int64  `json:"expires_in"`
	}
	if err := json.Unmarshal(got.body, &body); err != nil {
		return Tokens{}, err
	}
	if body.AccessToken == "" {
		return Tokens{}, errors.New("the provider gave no access token")
	}
	return Tokens{AccessToken: body.AccessToken, IDToken: body.IDToken, Lifetime: time.Duration(body.ExpiresIn) * time.Second}, nil
}

// answer is the result of one step.
type answer struct {
	status   int
	at       *url.URL
	location *url.URL // the target of a redirect; else nil
	body     []byte
}

func (f *flow) get(ctx context.Context, address string) (answer, error) {
	return f.send(ctx, http.MethodGet, address, nil)
}

func (f *flow) post(ctx context.Context, address string, form url.Values) (answer, error) {
	return f.send(ctx, http.MethodPost, address, form)
}

func (f *flow) send(ctx context.Context, method, address string, form url.Values) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := f.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return answer{}, err
	}
	got := answer{status: response.StatusCode, at: request.URL, body: body}
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		if got.location, err = response.Location(); err != nil {
			return answer{}, err
		}
	}
	return got, nil
}
