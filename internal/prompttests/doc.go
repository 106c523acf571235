// Package prompttests stores the questions that a project is tested with, suggests some from
// the headings of its documents, runs them and checks the answers.
//
// Package chat answers the questions as if a signed-in user asked, but stores no conversation
// and counts no message. Its invariants: a run copies its questions when it starts, so that
// later changes do not affect it; a question has one result, even if two workers ask it; and a
// finished run does not change.
//
// Source: main API section 4.9; docs/decisions.md#prompt-tests.
package prompttests
