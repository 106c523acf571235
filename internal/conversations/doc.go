// Package conversations lists and reads what was asked and answered.
//
// It writes nothing: exchanges are stored by chat. Its invariant: a cursor continues
// the one list that it came from; anywhere else it is refused.
//
// Source: main API section 4.11.
package conversations
