// Package idp is the development identity provider: a hosted sign-in page,
// authorization code with PKCE, and RS256 access tokens shaped like those of the
// provider that production uses.
//
// It is not for production: it has one public client, no refresh tokens, no second factor
// and no sign-up (AddAccount makes accounts). Accounts, keys and sign-ins in progress are
// stored in the schema "idp" of the database, which it creates.
// Invariants: a code works once, for the browser that signed in and the program that began;
// only the hash of a password is stored; neither an answer nor the time that it takes tells
// whether an account exists.
package idp
