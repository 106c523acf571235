// Package authn holds who calls: the principal and its place in the context.
//
// The security handlers put it there; services and handlers read it. It decides
// nothing by itself.
package authn
