package signin

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/tokentime"
)

const (
	leeway        = 30 * time.Second
	tokenLength   = 16 << 10
	kidLength     = 200
	subjectLength = 255
)

// claims are the claims of an access token that this package reads.
type claims struct {
	jwt.RegisteredClaims
	ClientID      string   `json:"client_id"`
	TokenUse      string   `json:"token_use"`
	Email         string   `json:"email"`
	EmailVerified flexible `json:"email_verified"`
	Nonce         string   `json:"nonce"`   // only id tokens have it
	AtHash        string   `json:"at_hash"` // only id tokens have it
	CHash         string   `json:"c_hash"`  // only id tokens have it
}

// flexible is a boolean that some providers write as a string.
type flexible struct{ set, value bool }

// UnmarshalJSON reads true and "true" as true, and anything else as false.
func (f *flexible) UnmarshalJSON(data []byte) error {
	f.set = string(data) != "null"
	f.value = strings.Trim(string(data), `"`) == "true"
	return nil
}

// verify checks a token. Callers get the same error for every invalid token, except for an
// expired one.
func (s *Service) verify(ctx context.Context, token string) (*claims, error) {
	if s.deps.Issuer == "" {
		return nil, apperr.NotConfigured("IDP_ISSUER")
	}
	if err := s.glance(token); err != nil {
		return nil, refused(err)
	}
	keys, err := s.provider.keys(ctx)
	if err != nil {
		return nil, err
	}
	var c claims
	_, err = jwt.ParseWithClaims(token, &c, keys, s.parserOptions()...)
	if err == nil {
		err = s.checkUse(&c)
	}
	if err != nil {
		return nil, refused(err)
	}
	return &c, nil
}

func (s *Service) parserOptions() []jwt.ParserOption {
	return []jwt.ParserOption{
		jwt.WithValidMethods([]string{jwt.SigningMethodRS256.Alg()}), jwt.WithIssuer(s.deps.Issuer), jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(s.deps.Clock.Now), jwt.WithStrictDecoding(),
	}
}

// glance reads the token without verifying it, and refuses tokens that cannot be ours. So
// meaningless tokens do not make this service call the provider.
func (s *Service) glance(token string) error {
	if len(token) > tokenLength {
		return jwt.ErrTokenMalformed
	}
	if err := tokentime.Check(token); err != nil {
		return err
	}
	var c jwt.RegisteredClaims
	t, _, err := jwt.NewParser(jwt.WithStrictDecoding()).ParseUnverified(token, &c)
	if err != nil {
		return err
	}
	if t.Method.Alg() != jwt.SigningMethodRS256.Alg() {
		return jwt.ErrTokenSignatureInvalid
	}
	if c.Issuer != s.deps.Issuer {
		return jwt.ErrTokenInvalidIssuer
	}
	return checkHeader(t.Header)
}

// checkHeader refuses headers that change what a token means (RFC 8725 section 3.11,
// RFC 7515 section 4.1.11). Keys in a header are never used.
func checkHeader(h map[string]any) error {
	if _, ok := h["crit"]; ok {
		return errors.New("the token has critical extensions")
	}
	if kid, ok := h["kid"].(string); !ok || kid == "" || len(kid) > kidLength {
		return errors.New("the token names no key")
	}
	typ, _ := h["typ"].(string)
	switch strings.TrimPrefix(strings.ToLower(typ), "application/") {
	case "", "jwt", "at+jwt":
		return nil
	}
	return errors.New("the token is of another type")
}

// checkUse refuses id tokens and tokens of other clients. Some providers name the client in
// aud, some in client_id.
func (s *Service) checkUse(c *claims) error {
	switch {
	case c.TokenUse != "" && c.TokenUse != "access", c.Nonce != "", c.AtHash != "", c.CHash != "":
		return errors.New("the token is no access token")
	case c.Subject == "" || len(c.Subject) > subjectLength || strings.ContainsRune(c.Subject, 0):
		return errors.New("the token has no subject")
	}
	audience := s.deps.Audience
	if audience == "" {
		audience = s.deps.ClientID
	}
	if audience != "" && slices.Contains(c.Audience, audience) {
		return nil
	}
	if len(c.Audience) == 0 && s.deps.ClientID != "" && c.ClientID == s.deps.ClientID {
		return nil
	}
	return jwt.ErrTokenInvalidAudience
}

func refused(err error) error {
	if errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenSignatureInvalid) {
		return apperr.New(apperr.KindUnauthenticated, apperr.CodeTokenExpired, "the access token has expired").Wrap(err)
	}
	return apperr.New(apperr.KindUnauthenticated, apperr.CodeUnauthenticated, "missing or invalid credentials").Wrap(err)
}

// profile is a person's address as the provider knows it.
type profile struct {
	email    string
	verified bool
}

// userinfo is the part of the provider's answer that is used.
type userinfo struct {
	Subject       string   `json:"sub"`
	Email         string   `json:"email"`
	EmailVerified flexible `json:"email_verified"`
}

func parseUserinfo(data []byte, subject string) (profile, error) {
	var u userinfo
	if err := json.Unmarshal(data, &u); err != nil {
		return profile{}, err
	}
	if u.Subject != subject {
		return profile{}, errors.New("the userinfo is of someone else")
	}
	return newProfile(u.Email, u.EmailVerified.value), nil
}

// newProfile drops addresses that cannot be stored or mailed to.
func newProfile(email string, verified bool) profile {
	email = strings.TrimSpace(email)
	if len(email) > 320 || !strings.Contains(email, "@") || strings.ContainsAny(email, "\x00\r\n") {
		return profile{}
	}
	return profile{email: email, verified: verified}
}
