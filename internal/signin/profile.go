package signin

import (
	"context"
	"net/http"
)

// profile finds the person's address: in the token, else in the database, else at the
// provider. The provider is asked once for each subject, and again after userinfoEvery if
// the address is not verified.
//
// Source: docs/decisions.md#people: access tokens of some providers carry neither
// the address nor whether it is verified.
func (s *Service) profile(ctx context.Context, token string, c *claims, stored profile, known bool) (profile, error) {
	if c.Email != "" && c.EmailVerified.set {
		return newProfile(c.Email, c.EmailVerified.value), nil
	}
	if known && stored.verified {
		return stored, nil
	}
	fresh, err := s.profiles.Get(ctx, c.Subject, func(ctx context.Context) (profile, error) {
		return s.askProvider(ctx, token, c.Subject)
	})
	if err != nil && known {
		s.deps.Logger.WarnContext(ctx, "the identity provider did not say who someone is", "error", err)
		return stored, nil
	}
	return fresh, err
}

// askProvider reads the userinfo. If the token may not read it, the profile is empty.
func (s *Service) askProvider(ctx context.Context, token, subject string) (profile, error) {
	url := s.provider.userinfoURL()
	if url == "" {
		return profile{}, nil
	}
	data, status, err := s.provider.get(ctx, url, token)
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return profile{}, nil
	case err != nil:
		return profile{}, unreachable(err)
	}
	p, err := parseUserinfo(data, subject)
	if err != nil {
		return profile{}, unreachable(err)
	}
	return p, nil
}

func (p *provider) userinfoURL() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.userinfo
}
