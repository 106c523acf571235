package idp

import (
	"context"
	"crypto/rand"
	"errors"
	"net/mail"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
)

// ErrEmail is returned for a text that is not an e-mail address.
var ErrEmail = errors.New("not an e-mail address")

// ErrPassword is returned for a password that is too short or too long.
var ErrPassword = errors.New("a password has 8 to 128 characters")

// AddAccount makes an account, or sets the password of the account with this address, and
// returns its subject. The error is ErrEmail or ErrPassword if a value is not valid.
func (p *Provider) AddAccount(ctx context.Context, email, password string) (sub string, err error) {
	email, err = normalise(email)
	if err != nil {
		return "", err
	}
	if n := utf8.RuneCountInString(password); n < 8 || n > 128 || !plain(password) {
		return "", ErrPassword
	}
	hash, err := p.storage.hasher.hash(ctx, password)
	if err != nil {
		return "", err
	}
	const statement = `
insert into idp.accounts (sub, email, password_hash, created_at) values ($1, $2, $3, $4)
on conflict (email) do update set password_hash = excluded.password_hash
returning sub`
	err = p.storage.pool.QueryRow(ctx, statement, strings.ToLower(rand.Text()), email, hash, p.storage.clock.Now()).Scan(&sub)
	return sub, err
}

// account is a user who can sign in.
type account struct {
	sub, email, hash string
}

// accountByEmail returns the account; its subject is empty if there is none.
func (s *storage) accountByEmail(ctx context.Context, email string) (account, error) {
	return s.account(ctx, "email = $1", email)
}

// accountBySubject returns the account; its subject is empty if there is none.
func (s *storage) accountBySubject(ctx context.Context, sub string) (account, error) {
	return s.account(ctx, "sub = $1", sub)
}

func (s *storage) account(ctx context.Context, condition, value string) (account, error) {
	var a account
	err := s.pool.QueryRow(ctx, "select sub, email, password_hash from idp.accounts where "+condition, value).Scan(&a.sub, &a.email, &a.hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return account{}, nil
	}
	return a, err
}

// normalise returns the address alone, in lower case.
func normalise(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > 254 || !plain(email) {
		return "", ErrEmail
	}
	return email, nil
}

// plain says whether the database can hold the text.
func plain(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
