// Package signin turns access tokens of the identity provider into people and their
// membership.
//
// The provider says who it is; what a person may do comes from the members table
// alone, never from a claim. Accounts are linked to the provider's name and the
// token's subject. Its invariant: a token passes only with an RS256 signature under a
// key of the configured issuer, for this client, as an access token, and in time.
//
// Source: main API section 5 rules 5 and 8; docs/decisions.md#people; RFC 8725.
package signin
