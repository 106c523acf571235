// Package reference puts in place what a question leaves to the conversation: "the second one"
// is an item of the last answer, "and the frame?" is the last question about something else,
// and "how can I change that?" is about what the last answer said.
//
// It uses no model and searches nothing. Its invariant: a question that refers to nothing is
// returned as it is; a resolved one holds only words of the conversation.
package reference
