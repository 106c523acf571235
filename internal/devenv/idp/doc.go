// Package idp is the development identity provider: a hosted sign-in page,
// authorization code with PKCE, and RS256 access tokens shaped like those of the
// provider that production uses.
//
// It is not for production: one public client, no refresh tokens, no second factor,
// and nobody can sign up (AddAccount is the only way in). Accounts, keys and
// sign-ins in progress lie in the schema "idp" of the database, which it makes.
// Invariants: a code works once, for the browser that signed in and the program
// that began; and a password is never stored, nor does an answer or its time tell
// whether an account exists.
package idp
