// Package authn holds the caller of a request: the principal, and its place in the context.
//
// The security handlers put it there; services and handlers read it. It checks no credential.
package authn
