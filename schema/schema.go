// Package schema embeds the migrations and the roles of the database.
//
// Files are golang-migrate pairs; each is applied once, in the order of its number.
// A CREATE INDEX CONCURRENTLY stands alone in its file.
package schema

import "embed"

// Migrations holds the migration files.
//
//go:embed *.up.sql *.down.sql
var Migrations embed.FS

// Roles is run after every migration: it makes the application's role and its grants. Idempotent.
//
//go:embed roles.sql
var Roles string

// River is run after River's own migration: it adds what our way of fetching jobs needs. Idempotent.
//
//go:embed river.sql
var River string
