// Package modelhost is a server on loopback that speaks the protocols of the providers of
// hosted models, as they are documented. It fails when its script says so. It answers 400 to a
// request that the provider would refuse.
//
// The script holds its answers.
package modelhost
