package limits

import "time"

// How long a request may take, and a statement of the database within it. A plan that went
// wrong must not hold a connection of the pool for longer than a caller waits.
const (
	// RequestTime bounds a request that only needs the database and the storage.
	RequestTime = 30 * time.Second
	// LongRequestTime bounds one that waits for models or copies files, which have bounds of
	// their own below it (60 s for an answer, 100 s for the prompt tests of a request). It
	// ends before the server gives the connection up (2 minutes).
	LongRequestTime = 110 * time.Second
	// StatementTime bounds one statement of a request: the longest read every row of a large
	// project, which takes a second on a busy machine.
	StatementTime = 15 * time.Second
	// JobStatementTime bounds one statement of a job. No job runs for longer.
	JobStatementTime = 5 * time.Minute
)
