// Package modelhost is a server on loopback that speaks the protocols of the hosted models'
// providers, byte for byte as documented, and fails as its script says. It answers 400 to a
// request that the provider would refuse.
//
// It writes no answer of its own: the answers stand in the script.
package modelhost
