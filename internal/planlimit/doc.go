// Package planlimit says which changes of a company's data are allowed: its plan must
// include the project and have storage left, and the project must not be archived.
//
// After a downgrade nothing is taken away: what is over the limits can be read, asked
// about and deleted, and not changed. Every change of a project asks here; what a plan
// includes stands in package limits.
//
// Source: docs/decisions.md#plans.
package planlimit
