// Package chat answers questions: it checks the question, searches for passages, has a
// model write the answer and stores both.
//
// It knows neither HTTP nor frames; a stream passes a Sink and gets the same answer as a
// JSON call. Its invariant: an answer that was returned is stored and counted with its
// question in one transaction, also if the caller leaves; an answer that was not returned
// is neither stored nor counted.
//
// Source: main API section 4.3; docs/decisions.md#who-may-call-what, #conversations, #answers, #streams.
package chat
