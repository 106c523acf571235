// Package conversations lists and reads stored conversations.
//
// It writes nothing: package chat stores exchanges. Its invariant: a cursor continues only the
// list that it came from; any other list refuses it.
//
// Source: main API section 4.11.
package conversations
