// Package outbox records the events of a company: what happened to its projects, documents,
// keys and people. A service calls Record in the transaction that makes the change, so an
// event exists if and only if its change was committed.
//
// The activity feed reads the events. Deliveries to the outside (webhooks, e-mail, channel
// posts) will be rows that refer to them; see ADR 0030.
//
// Source: main API section 4.12 (GET /v1/activity); docs/decisions.md#activity-feed.
package outbox
