// Package sharetoken issues and verifies the tokens of share pages: short-lived JWTs
// (HMAC-SHA256) that are bound to a project and to the state in which it was shared.
//
// A token is no session: it names no visitor. Its invariant: when the project is no
// longer shared in the way that it was, or is archived, the token is worth nothing
// within a second, whatever its expiry says.
//
// Source: main API sections 4.1 (share bootstrap) and 5 rule 4.
package sharetoken
