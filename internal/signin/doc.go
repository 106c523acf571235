// Package signin verifies access tokens of the identity provider and finds the person and
// the membership.
//
// The provider only says who the person is. What a person may do comes from the table
// members, never from a claim. Accounts are linked to the provider's name and the token's
// subject. Its invariant: a token is accepted only if it is an access token for this
// client, has not expired, and has an RS256 signature by a key of the configured issuer.
//
// Source: main API section 5 rules 5 and 8; docs/decisions.md#people; RFC 8725.
package signin
