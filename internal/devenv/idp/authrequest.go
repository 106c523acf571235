package idp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// errNoRequest is returned for a sign-in that is unknown, finished or too old.
var errNoRequest = errors.New("this sign-in is over: go back and begin again")

// authRequest is a sign-in in progress.
type authRequest struct {
	id, clientID, redirectURI, state, nonce string
	scopes                                  []string
	responseMode                            oidc.ResponseMode
	challenge                               string
	browser                                 []byte
	sub                                     string
	authTime                                time.Time
}

var _ op.AuthRequest = (*authRequest)(nil)

// GetID returns the id.
func (r *authRequest) GetID() string { return r.id }

// GetACR returns nothing: the provider has one level of authentication.
func (r *authRequest) GetACR() string { return "" }

// GetAMR says that the user entered a password.
func (r *authRequest) GetAMR() []string { return []string{"pwd"} }

// GetAudience is the client.
func (r *authRequest) GetAudience() []string { return []string{r.clientID} }

// GetAuthTime is when the password was entered.
func (r *authRequest) GetAuthTime() time.Time { return r.authTime }

// GetClientID is the client's.
func (r *authRequest) GetClientID() string { return r.clientID }

// GetCodeChallenge is what the code's verifier must match.
func (r *authRequest) GetCodeChallenge() *oidc.CodeChallenge {
	return &oidc.CodeChallenge{Challenge: r.challenge, Method: oidc.CodeChallengeMethodS256}
}

// GetNonce is the client's.
func (r *authRequest) GetNonce() string { return r.nonce }

// GetRedirectURI is where the code goes.
func (r *authRequest) GetRedirectURI() string { return r.redirectURI }

// GetResponseType is code.
func (r *authRequest) GetResponseType() oidc.ResponseType { return oidc.ResponseTypeCode }

// GetResponseMode is what the client asked for.
func (r *authRequest) GetResponseMode() oidc.ResponseMode { return r.responseMode }

// GetScopes are what the client asked for.
func (r *authRequest) GetScopes() []string { return r.scopes }

// GetState is the client's.
func (r *authRequest) GetState() string { return r.state }

// GetSubject is the account, once somebody has signed in.
func (r *authRequest) GetSubject() string { return r.sub }

// Done says whether somebody has signed in.
func (r *authRequest) Done() bool { return r.sub != "" }

// CreateAuthRequest begins a sign-in.
func (s *storage) CreateAuthRequest(ctx context.Context, asked *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	if slices.Contains(asked.Prompt, oidc.PromptNone) {
		return nil, oidc.ErrLoginRequired() // nobody stays signed in here
	}
	if asked.CodeChallenge == "" || asked.CodeChallengeMethod != oidc.CodeChallengeMethodS256 {
		return nil, oidc.ErrInvalidRequest().WithDescription("PKCE with code_challenge_method S256 is required")
	}
	for _, text := range []string{asked.State, asked.Nonce, asked.CodeChallenge} {
		if len(text) > 1024 || !plain(text) {
			return nil, oidc.ErrInvalidRequest().WithDescription("state, nonce or code_challenge is not usable")
		}
	}
	r := &authRequest{
		id: rand.Text(), clientID: asked.ClientID, redirectURI: asked.RedirectURI, state: asked.State, nonce: asked.Nonce,
		scopes: asked.Scopes, responseMode: asked.ResponseMode, challenge: asked.CodeChallenge,
	}
	now := s.clock.Now()
	_, err := s.pool.Exec(ctx, `
with old as (delete from idp.auth_requests where created_at < $10)
insert into idp.auth_requests (id, client_id, redirect_uri, scopes, state, nonce, response_mode, code_challenge, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		r.id, r.clientID, r.redirectURI, r.scopes, r.state, r.nonce, string(r.responseMode), r.challenge, now, now.Add(-2*signInLifetime))
	return r, err
}

const requestColumns = "id, client_id, redirect_uri, scopes, state, nonce, response_mode, code_challenge, coalesce(browser, ''), coalesce(sub, ''), coalesce(auth_time, created_at)"

func scanRequest(row pgx.Row) (*authRequest, error) {
	var r authRequest
	err := row.Scan(&r.id, &r.clientID, &r.redirectURI, &r.scopes, &r.state, &r.nonce, &r.responseMode, &r.challenge, &r.browser, &r.sub, &r.authTime)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoRequest
	}
	return &r, err
}

// AuthRequestByID returns a sign-in in progress.
func (s *storage) AuthRequestByID(ctx context.Context, id string) (op.AuthRequest, error) {
	r, err := s.request(ctx, id)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// request returns a sign-in in progress. The error is errNoRequest if there is none.
func (s *storage) request(ctx context.Context, id string) (*authRequest, error) {
	if !plain(id) {
		return nil, errNoRequest
	}
	return scanRequest(s.pool.QueryRow(ctx, "select "+requestColumns+
		" from idp.auth_requests where id = $1 and created_at > $2", id, s.clock.Now().Add(-signInLifetime)))
}

// bind ties a sign-in to the browser that opens its page first, and reports whether that is
// this browser. Otherwise an attacker could send a link to his own sign-in, and receive the
// tokens of whoever enters a password there.
func (s *storage) bind(ctx context.Context, id string, browser []byte) (bool, error) {
	tag, err := s.pool.Exec(ctx,
		"update idp.auth_requests set browser = $2 where id = $1 and (browser is null or browser = $2)", id, browser)
	return tag.RowsAffected() == 1, err
}

// finish stores who has signed in.
func (s *storage) finish(ctx context.Context, id string, browser []byte, sub string) error {
	tag, err := s.pool.Exec(ctx,
		"update idp.auth_requests set sub = $3, auth_time = $4 where id = $1 and browser = $2 and code_hash is null", id, browser, sub, s.clock.Now())
	if err == nil && tag.RowsAffected() == 0 {
		return errNoRequest
	}
	return err
}

// SaveAuthCode stores the hash of the code.
func (s *storage) SaveAuthCode(ctx context.Context, id, code string) error {
	tag, err := s.pool.Exec(ctx,
		"update idp.auth_requests set code_hash = $2, code_expires_at = $3 where id = $1 and sub is not null and code_hash is null",
		id, digest(code), s.clock.Now().Add(codeLifetime))
	if err == nil && tag.RowsAffected() == 0 {
		return errNoRequest
	}
	return err
}

// AuthRequestByCode returns the sign-in of the code and deletes it, so that the code works
// once, also if the rest of the exchange fails.
func (s *storage) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	r, err := scanRequest(s.pool.QueryRow(ctx,
		"delete from idp.auth_requests where code_hash = $1 and code_expires_at > $2 returning "+requestColumns, digest(code), s.clock.Now()))
	if err != nil {
		return nil, err
	}
	return r, nil
}

// DeleteAuthRequest does nothing: AuthRequestByCode has deleted the request.
func (s *storage) DeleteAuthRequest(context.Context, string) error { return nil }

func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
