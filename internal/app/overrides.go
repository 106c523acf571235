package app

import (
	"time"

	"docqa/internal/chat"
	"docqa/internal/ingest"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/outbound"
	"docqa/internal/provider/blob"
	"docqa/internal/search"
	"docqa/internal/store"
)

// Overrides replaces parts that are otherwise made from the settings. It is for tests: the
// zero value gives the service as in production. Stop does not close parts that were passed
// in.
type Overrides struct {
	Clock       clock.Clock       // default: the machine's
	Store       *store.Store      // default: DATABASE_URL
	Objects     *blob.Store       // default: S3_ENDPOINT
	Writer      chat.Writer       // writes answers; default: the models of MODELS_FILE
	Models      *search.Models    // make vectors; default: EMBEDDINGS
	Resolver    outbound.Resolver // resolves the names of outbound calls; default: the system's
	Parser      ingest.Parser     // reads files; default: confined child processes
	TempDir     string            // where files are stored while they are read; default: the system's
	RequestTime time.Duration     // bounds ordinary requests; default: limits.RequestTime
}
