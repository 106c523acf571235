// Package signinflow signs in at an OpenID Connect provider as a browser would:
// authorization code with PKCE, through the provider's own sign-in page. Commands
// and tests get their access tokens by it.
//
// It is a client that knows standards and HTML forms, and nothing of our provider.
// A provider whose page needs JavaScript or a second factor is beyond it.
package signinflow
