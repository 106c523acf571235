// Package projects keeps projects: creation within the plan, settings that merge,
// sharing, archiving and deploys.
//
// It neither ingests documents nor issues keys by itself: a deploy asks the services
// that do, inside its own transaction. Its invariants: no number of concurrent
// requests brings a company over its plan's projects; changes of one project are
// ordered by its row lock, so merges lose nothing; archived is final.
//
// Source: main API sections 2 and 4.9; docs/decisions.md#project-record, #project-settings, #project-states, #deploy.
package projects
