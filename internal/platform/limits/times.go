package limits

import "time"

// The longest times of a request, and of a database statement within it. A statement with a
// bad plan must not hold a connection of the pool for longer than a caller waits.
const (
	// RequestTime bounds a request that only needs the database and the storage.
	RequestTime = 30 * time.Second
	// LongRequestTime bounds a request that waits for models or copies files. Such work has
	// shorter bounds of its own (60 s for an answer, 100 s for the prompt tests of a request).
	// It ends before the server closes the connection (2 minutes).
	LongRequestTime = 110 * time.Second
	// StatementTime bounds one statement of a request. The longest statements read every row
	// of a large project, which takes a second on a busy machine.
	StatementTime = 15 * time.Second
	// JobStatementTime bounds one statement of a job. No job runs for longer.
	JobStatementTime = 5 * time.Minute
)
