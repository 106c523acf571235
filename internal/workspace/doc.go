// Package workspace manages companies: their creation by a signed-in user, their name,
// their plan and the defaults of new projects.
//
// Package signin activates members. Its invariant: a company
// always has its settings row and an owner who is an active member, and its slug
// never changes.
//
// Source: main API sections 2 and 4.12; docs/decisions.md#people, #company-states.
package workspace
