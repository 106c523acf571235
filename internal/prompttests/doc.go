// Package prompttests keeps the questions that a project is tested with, suggests some
// from the headings of its documents, runs them and judges the answers.
//
// Answering is package chat's business: a run asks it as a signed-in user would, but
// no conversation is stored and no message is counted. Its invariants: a run's
// questions are copied when it starts, so that later changes do not touch it; a
// question has one result, whoever asks it twice; and a finished run does not change.
//
// Source: main API section 4.9; docs/decisions.md#prompt-tests.
package prompttests
