package streams

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/background"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/panics"
	"docqa/internal/store"
)

const (
	leaseTurn  = time.Second
	leaseRenew = 5  // turns after which a process renews the rows of its streams
	leaseTurns = 15 // turns after which a row that is not renewed ends
	leaseCall  = 5 * time.Second
	// leaseRetry is how long after its end a stream of another process may still count.
	leaseRetry = 100 * time.Millisecond
)

// Leases bounds the streams that are open at once in a project, over all processes. Safe
// for concurrent use.
//
// An open stream is a row. Each process renews all of its rows in one statement. A stream
// gets its row in one round trip; the row is deleted in the background, outside of the
// request. The rows of a dead process end after 15 seconds.
//
// Source: docs/decisions.md#running-chats.
type Leases struct {
	store *store.Store
	work  sync.WaitGroup
	wake  chan struct{} // streams have closed

	mu       sync.Mutex
	projects map[projectKey]*opened
	running  bool
}

type projectKey struct{ companyID, projectID string }

// opened holds the streams that this process has open in a project.
type opened struct {
	asking int
	held   map[string]struct{}
	closed map[string]int // ended, but the row may still exist: number of turns since the end
}

func (o *opened) idle() bool { return o.asking == 0 && len(o.held) == 0 && len(o.closed) == 0 }

// NewLeases returns the leases of this process.
func NewLeases(s *store.Store) *Leases {
	return &Leases{store: s, wake: make(chan struct{}, 1), projects: map[projectKey]*opened{}}
}

// Take opens a stream of a project; leave closes it. Errors: RateLimited if the project has
// maxStreams open streams, NotFound if the company has no such project.
func (l *Leases) Take(ctx context.Context, companyID, projectID string, maxStreams int) (leave func(), err error) {
	key, id := projectKey{companyID, projectID}, ids.New(ids.Job)
	if !l.ask(key, maxStreams) {
		return nil, tooMany()
	}
	ok, err := l.take(ctx, key, id, maxStreams)
	if err == nil && !ok {
		// Another process may have closed one a moment ago.
		if err = pause(ctx, leaseRetry); err == nil {
			ok, err = l.take(ctx, key, id, maxStreams)
		}
	}
	l.asked(key, id, ok, err)
	if err != nil {
		return nil, fmt.Errorf("open a stream in project %s: %w", projectID, err)
	}
	if !ok {
		return nil, tooMany()
	}
	return sync.OnceFunc(func() { l.close(key, id) }), nil
}

func tooMany() error {
	e := apperr.New(apperr.KindRateLimited, apperr.CodeRateLimited, "too many questions are being answered at once")
	e.RetryAfter = time.Second
	return e
}

// Wait returns when the rows of all closed streams are deleted, or when ctx ends.
func (l *Leases) Wait(ctx context.Context) { background.Wait(ctx, &l.work) }

// ask reserves a place for a stream in this process. It returns false if this process alone
// already has maxStreams open.
func (l *Leases) ask(key projectKey, maxStreams int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.projects[key]
	if o == nil {
		o = &opened{held: map[string]struct{}{}, closed: map[string]int{}}
		l.projects[key] = o
	}
	if len(o.held)+o.asking >= maxStreams {
		return false
	}
	o.asking++
	if !l.running {
		l.running = true
		l.work.Go(l.keep)
	}
	return true
}

func (l *Leases) take(ctx context.Context, key projectKey, id string, maxStreams int) (bool, error) {
	ok, err := dbsqlc.New().StreamLeaseTake(ctx, l.store.Pool(), dbsqlc.StreamLeaseTakeParams{
		CompanyID: key.companyID, ProjectID: key.projectID, StreamID: id, Closed: l.closedOf(key), MaxStreams: int32(maxStreams),
		LeaseSeconds: leaseTurns * leaseTurn.Seconds(),
	})
	if store.IsNoRows(err) {
		return false, apperr.NotFound()
	}
	return ok, err
}

// closedOf returns the closed streams of a project whose rows may still be there. They must
// not count.
func (l *Leases) closedOf(key projectKey) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := []string{}
	for id := range l.projects[key].closed {
		list = append(list, id)
	}
	return list
}

// asked records the result of take. After an error the row may exist, so the stream counts as
// closed and its row is deleted.
func (l *Leases) asked(key projectKey, id string, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.projects[key]
	o.asking--
	switch {
	case err != nil:
		o.closed[id] = 0
		l.signal()
	case ok:
		o.held[id] = struct{}{}
	}
}

func (l *Leases) close(key projectKey, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := l.projects[key]
	delete(o.held, id)
	o.closed[id] = 0
	l.signal()
}

func (l *Leases) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// keep deletes and renews rows as long as this process has streams.
func (l *Leases) keep() {
	tick := time.NewTicker(leaseTurn)
	defer tick.Stop()
	for turns := 0; ; {
		select {
		case <-l.wake:
		case <-tick.C:
			turns++
			l.grow()
		}
		_ = panics.Catch(l.delete) // tried again in the next turn, until the row ends by itself
		if turns >= leaseRenew && panics.Catch(l.renew) == nil {
			turns = 0
		}
		if l.rest() {
			return
		}
	}
}

// grow forgets the streams that closed so long ago that their rows have ended.
func (l *Leases) grow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, o := range l.projects {
		for id := range o.closed {
			if o.closed[id]++; o.closed[id] > leaseTurns {
				delete(o.closed, id)
			}
		}
	}
}

// list returns the columns of those streams of every project that collect returns.
func (l *Leases) list(collect func(o *opened) []string) (companies, projects, list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, o := range l.projects {
		for _, id := range collect(o) {
			companies, projects, list = append(companies, key.companyID), append(projects, key.projectID), append(list, id)
		}
	}
	return companies, projects, list
}

func (l *Leases) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), leaseCall)
	return store.AsSystem(ctx, "the streams of several companies are kept in one statement"), cancel
}

func (l *Leases) renew() error {
	companies, projects, list := l.list(func(o *opened) []string { return slices.Collect(maps.Keys(o.held)) })
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := l.context()
	defer cancel()
	return dbsqlc.New().StreamLeasesRenew(ctx, l.store.Pool(), dbsqlc.StreamLeasesRenewParams{
		CompanyIds: companies, ProjectIds: projects, StreamIds: list, LeaseSeconds: leaseTurns * leaseTurn.Seconds(),
	})
}

func (l *Leases) delete() error {
	companies, projects, list := l.list(func(o *opened) []string { return slices.Collect(maps.Keys(o.closed)) })
	if len(list) == 0 {
		return nil
	}
	ctx, cancel := l.context()
	defer cancel()
	err := dbsqlc.New().StreamLeasesDelete(ctx, l.store.Pool(), dbsqlc.StreamLeasesDeleteParams{
		CompanyIds: companies, ProjectIds: projects, StreamIds: list,
	})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, id := range list {
		delete(l.projects[projectKey{companies[i], projects[i]}].closed, id)
	}
	return nil
}

// rest forgets the projects without streams, and tells whether none is left.
func (l *Leases) rest() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, o := range l.projects {
		if o.idle() {
			delete(l.projects, key)
		}
	}
	l.running = len(l.projects) > 0
	return !l.running
}
