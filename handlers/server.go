package handlers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/apikeys"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
)

// Deps is what the edge needs. An API that is nil is not served: its paths are 404.
type Deps struct {
	Main    *Main
	Extract *Extract
	Rag     *Rag
	MCP     *MCPAPI

	Keys        *apikeys.Service
	Shares      *sharetoken.Service
	People      *signin.Service
	Limits      *Limits
	LoadProject LoadProject
	Unavailable func(error) bool // tells that an error says the database or the storage is away

	RagServiceKeys   []string
	DashboardOrigins []string
	TrustedProxies   int
	Log              *slog.Logger
	Clock            clock.Clock
	RequestTime      time.Duration // bounds ordinary requests; default limits.RequestTime
}

// New returns the handler of the three APIs on one port.
func New(d Deps) (http.Handler, error) {
	c := classifier{unavailable: d.Unavailable}
	g := &guard{keys: d.Keys, shares: d.Shares, people: d.People, limits: d.Limits}
	for _, key := range d.RagServiceKeys {
		g.rag = append(g.rag, sha256.Sum256([]byte(key)))
	}
	forget := func(companyID string) {
		d.Keys.Forget(companyID)
		d.Shares.Forget(companyID)
		d.People.Forget(companyID)
	}
	routes, err := newRouter(d, c, g, gate{load: d.LoadProject, forget: forget})
	if err != nil {
		return nil, err
	}
	if d.MCP != nil {
		d.MCP.prepare(g, c)
	}
	documents, err := newDocuments()
	if err != nil {
		return nil, err
	}
	return &edge{
		classifier: c, router: routes, cors: cors{dashboard: d.DashboardOrigins}, limits: d.Limits, documents: documents, mcp: d.MCP,
		log: d.Log, clock: d.Clock, trustedProxies: d.TrustedProxies, requestTime: cmp.Or(d.RequestTime, limits.RequestTime),
	}, nil
}

func newRouter(d Deps, c classifier, g *guard, project gate) (r router, err error) {
	onError := func(_ context.Context, w http.ResponseWriter, req *http.Request, err error) { c.write(w, req, err) }
	if d.Main != nil {
		d.Main.classifier = c
		r.main, err = mainapi.NewServer(d.Main, d.Main, mainSecurity{g},
			mainapi.WithErrorHandler(onError), mainapi.WithMiddleware(project.Middleware))
		if err != nil {
			return r, fmt.Errorf("build the main API: %w", err)
		}
	}
	if d.Extract != nil {
		d.Extract.classifier = c
		r.extract, err = extractapi.NewServer(d.Extract, extractSecurity{g},
			extractapi.WithErrorHandler(onError), extractapi.WithMiddleware(project.Middleware))
		if err != nil {
			return r, fmt.Errorf("build the Extract API: %w", err)
		}
		r.extractOff = !d.Extract.Enabled
	}
	if d.Rag != nil {
		d.Rag.classifier = c
		r.rag, err = ragapi.NewServer(d.Rag, d.Rag, ragSecurity{g},
			ragapi.WithErrorHandler(onError), ragapi.WithMiddleware(project.Middleware))
		if err != nil {
			return r, fmt.Errorf("build the rag API: %w", err)
		}
	}
	return r, nil
}
