// Package planlimit tells what of a company's data its plan does not include.
//
// After a downgrade nothing is taken away: what is over the limits can be read, asked
// about and deleted, and not changed. Every change of a project asks here; what a plan
// includes stands in package limits.
//
// Source: docs/decisions.md#plans.
package planlimit
