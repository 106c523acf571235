package idp

import (
	"context"
	"time"
)

// How many failed sign-ins are allowed in failureWindow: for one e-mail address, against
// guessing its password, and from one network address, against trying one password on many
// accounts. A successful sign-in is not counted.
const (
	failureWindow       = 5 * time.Minute
	failuresByEmail     = 10
	failuresByRemote    = 100
	failuresAreKeptFor  = 2 * failureWindow
	emailKey, remoteKey = "email:", "remote:"
)

// tooManyFailures tells whether sign-ins are refused now.
func (s *storage) tooManyFailures(ctx context.Context, email, remote string) (bool, error) {
	var byEmail, byRemote int
	err := s.pool.QueryRow(ctx, `
select count(*) filter (where key = $1), count(*) filter (where key = $2)
from idp.failures where key in ($1, $2) and at > $3`,
		emailKey+email, remoteKey+remote, s.clock.Now().Add(-failureWindow)).Scan(&byEmail, &byRemote)
	return byEmail >= failuresByEmail || byRemote >= failuresByRemote, err
}

// countFailure stores a failed sign-in and deletes old ones.
func (s *storage) countFailure(ctx context.Context, email, remote string) error {
	now := s.clock.Now()
	_, err := s.pool.Exec(ctx, `
with old as (delete from idp.failures where at < $4)
insert into idp.failures (key, at) values ($1, $3), ($2, $3)`,
		emailKey+email, remoteKey+remote, now, now.Add(-failuresAreKeptFor))
	return err
}
