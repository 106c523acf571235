package edge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"time"

	"docqa/internal/apikeys"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/ratelimit"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
)

// Deps is what New needs.
type Deps struct {
	Keys        *apikeys.Service
	Shares      *sharetoken.Service
	People      *signin.Service
	Limiter     *ratelimit.Limiter
	LoadProject LoadProject
	Unavailable func(error) bool // reports whether err means that the database or the storage cannot be reached

	RagServiceKeys   []string
	DashboardOrigins []string
	TrustedProxies   int
	Log              *slog.Logger
	Clock            clock.Clock
	RequestTime      time.Duration // bounds ordinary requests; default limits.RequestTime
	PublicPatience   time.Duration // how long a public read waits for its rate limit; default 250 ms
}

// Edge holds the steps that every request passes. The API packages build their servers
// with its parts; Handler then puts the steps before these servers.
type Edge struct {
	Guard  *Guard
	Limits *Limits
	Errors Classifier

	gate           gate
	cors           cors
	documents      map[string]document
	log            *slog.Logger
	clock          clock.Clock
	trustedProxies int
	requestTime    time.Duration
}

// New returns the steps. It fails if the published contract cannot be read.
func New(d Deps) (*Edge, error) {
	documents, err := newDocuments()
	if err != nil {
		return nil, err
	}
	counts := &Limits{limiter: d.Limiter, patience: cmp.Or(d.PublicPatience, publicPatience)}
	g := &Guard{keys: d.Keys, shares: d.Shares, people: d.People, limits: counts}
	for _, key := range d.RagServiceKeys {
		g.rag = append(g.rag, sha256.Sum256([]byte(key)))
	}
	forget := func(companyID string) {
		d.Keys.Forget(companyID)
		d.Shares.Forget(companyID)
		d.People.Forget(companyID)
	}
	return &Edge{
		Guard: g, Limits: counts, Errors: Classifier{unavailable: d.Unavailable},
		gate: gate{load: d.LoadProject, forget: forget}, cors: cors{dashboard: d.DashboardOrigins}, documents: documents,
		log: d.Log, clock: d.Clock, trustedProxies: d.TrustedProxies, requestTime: cmp.Or(d.RequestTime, limits.RequestTime),
	}, nil
}

// Served names the servers behind one handler. Paths of an API that is left out answer 404.
type Served struct {
	Main, Extract, Rag API
	Tools              Tools
}

// Handler returns one handler for all APIs of s.
func (e *Edge) Handler(s Served) http.Handler {
	return &server{Edge: e, router: router{apiMain: s.Main, apiExtract: s.Extract, apiRag: s.Rag}, tools: s.Tools}
}

// HandleError answers a request that failed before its handler ran. The generated servers
// call it.
func (e *Edge) HandleError(_ context.Context, w http.ResponseWriter, r *http.Request, err error) {
	e.Errors.Write(w, r, err)
}
