// Package schema embeds the migrations and the roles of the database.
//
// Files are golang-migrate pairs, numbered without gaps; each is applied once, in the order
// of its number. Until the first release a table has one place: its columns, indexes, policies
// and triggers stand together, and a change is made there. Afterwards a migration that was
// released never changes. A CREATE INDEX CONCURRENTLY must stand alone in its file.
package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Migrations holds the migration files.
//
//go:embed *.up.sql *.down.sql
var Migrations embed.FS

// Roles makes the application's role and its grants. It is run after every migration and is idempotent.
//
//go:embed roles.sql
var Roles string

// River adds the index by which companies take turns to River's table of jobs. It is run after
// River's own migration and is idempotent.
//
//go:embed river.sql
var River string

// Newest returns the number of the last migration.
func Newest() (uint, error) {
	ups, err := fs.Glob(Migrations, "*.up.sql")
	if err != nil || len(ups) == 0 {
		return 0, fmt.Errorf("find migrations: %d files, %w", len(ups), err)
	}
	number, _, _ := strings.Cut(ups[len(ups)-1], "_")
	n, err := strconv.ParseUint(number, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("read the number of %s: %w", ups[len(ups)-1], err)
	}
	return uint(n), nil
}
