// Package planlimit checks whether a company's data may be changed: its plan must include
// the project and have storage left, and the project must not be archived.
//
// After a downgrade nothing is deleted: projects over the limits can be read, asked and
// deleted, but not changed. Every change of a project calls this package. What a plan
// includes is in package limits.
//
// Source: docs/decisions.md#plans.
package planlimit
