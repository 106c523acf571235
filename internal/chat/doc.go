// Package chat answers questions: it judges the question, finds the passages, has a
// model write the answer and stores the exchange.
//
// It knows neither HTTP nor frames; a stream hands in a Sink and gets the same
// answer as a JSON call. Its invariant: an answer that was returned is stored and
// counted with its question in one transaction, and nothing else is; a caller who
// leaves does not change that.
//
// Source: main API section 4.3; docs/decisions.md#who-may-call-what, #conversations, #answers, #streams.
package chat
