// Package modelhost is a server on loopback that speaks the protocols of the hosted
// models' providers, byte for byte as their documentation has them, and fails as it is
// told. It judges what it is sent: a request that the provider would refuse gets a 400.
//
// It writes no answer of its own; what it answers is scripted.
package modelhost
