// Package signinflow signs in at an OpenID Connect provider as a browser would: authorization
// code with PKCE, through the provider's own sign-in page. Commands and tests use it to get
// access tokens.
//
// It knows standards and HTML forms, and nothing of the embedded provider. It cannot sign in
// at a provider whose page needs JavaScript or a second factor.
package signinflow
