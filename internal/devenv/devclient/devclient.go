// Package devclient acts on a running docqa dev as its users do: it signs them in, finds the
// credentials that dev.json holds, and makes accounts at the embedded identity provider.
package devclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/devenv/secrets"
	"docqa/internal/devenv/signinflow"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
)

// Token signs in at the identity provider of the development by the code flow with PKCE
// and returns the access token. An empty password stands for the one that dev.json holds.
func Token(ctx context.Context, dev *devfile.File, email, password string) (token string, expires time.Time, err error) {
	if password == "" {
		if password, err = knownPassword(dev, email); err != nil {
			return "", time.Time{}, err
		}
	}
	token, expires, err = signinflow.Token(ctx, signinflow.Request{
		Issuer: dev.IDP.Issuer, ClientID: dev.IDP.ClientID, RedirectURI: dev.IDP.RedirectURI, Email: email, Password: password,
	})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("sign in as %s: %w", email, err)
	}
	return token, expires, nil
}

func knownPassword(dev *devfile.File, email string) (string, error) {
	users := []devfile.User{dev.Newcomer}
	for _, c := range dev.Companies {
		users = append(users, c.Users...)
	}
	for _, u := range users {
		if strings.EqualFold(u.Email, email) {
			return u.Password, nil
		}
	}
	return "", fmt.Errorf("dev.json has no password of %s: give --password", email)
}

// AddAccount makes an account at the embedded identity provider, or gives the account that
// is there the password. An empty password makes a random one. It returns the password.
func AddAccount(ctx context.Context, dev *devfile.File, email, password string) (string, error) {
	if password == "" {
		password = secrets.NewPassword()
	}
	pool, err := pgxpool.New(ctx, dev.DatabaseURL)
	if err != nil {
		return "", errors.New("the database of docqa dev cannot be reached")
	}
	defer pool.Close()
	provider, err := idp.Open(ctx, pool, idp.Options{
		Issuer: dev.IDP.Issuer, ClientID: dev.IDP.ClientID, RedirectURIs: []string{dev.IDP.RedirectURI}, Clock: clock.System(),
	})
	if err != nil {
		return "", err
	}
	_, err = provider.AddAccount(ctx, email, password)
	return password, err
}

// ErrNoExample says that docqa dev runs without the example company.
var ErrNoExample = errors.New("the running docqa dev has no example company (--no-seed)")

// Example returns the example company and its project.
func Example(dev *devfile.File) (devfile.Company, devfile.Project, error) {
	if len(dev.Companies) == 0 || len(dev.Companies[0].Projects) == 0 || len(dev.Companies[0].Users) == 0 {
		return devfile.Company{}, devfile.Project{}, ErrNoExample
	}
	return dev.Companies[0], dev.Companies[0].Projects[0], nil
}

// Member returns the user of the company with the fewest rights.
func Member(c devfile.Company) devfile.User { return c.Users[len(c.Users)-1] }

// Admin returns the first user of the company who may do what admins may.
func Admin(c devfile.Company) devfile.User {
	i := slices.IndexFunc(c.Users, func(u devfile.User) bool { return u.Role == authn.RoleAdmin })
	return c.Users[max(i, 0)] // the owner where there is no admin
}

// Key returns the integration key of a project of the example companies, empty if dev.json has none.
func Key(dev *devfile.File, projectID string) string {
	for _, c := range dev.Companies {
		for _, p := range c.Projects {
			if p.ProjectID == projectID {
				return p.Keys[devfile.KeyIntegrationLive]
			}
		}
	}
	return ""
}
