package edge

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"docqa/gen/operations"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/ratelimit"
)

// publicPatience limits how long a public read waits for its rate limit. If the database
// cannot be reached, the read is answered without a limit, since it needs no database.
const publicPatience = 250 * time.Millisecond

// Limits counts requests against their rates and writes the RateLimit headers. Handlers
// use it for rates that depend on a value in the body.
type Limits struct {
	limiter  *ratelimit.Limiter
	patience time.Duration // see publicPatience
}

// Visitor counts one question of a visitor of a project; 429 if there were too many.
func (l *Limits) Visitor(ctx context.Context, projectID, visitorID string) error {
	return l.take(ctx, limits.RateVisitorChat.Rate(), projectID+":"+visitorID)
}

// Question counts one question that came with an integration key, against the rate of
// the key's plan; 429 if there were too many.
func (l *Limits) Question(ctx context.Context) error {
	p := infoFrom(ctx).principal
	return l.take(ctx, limits.KeyChatRate(p.Plan), p.KeyID)
}

// failedCredential counts a refused credential by the caller's address; 429 if there were
// too many.
//
// Gap: docs/decisions.md#order-of-checks; our choice of the number.
func (l *Limits) failedCredential(ctx context.Context) error {
	return l.take(ctx, limits.RateRefusals.Rate(), ipBucket(infoFrom(ctx).ip))
}

// public counts a request of an operation without credential: by the caller's address, or
// by provider if a provider calls it.
func (l *Limits) public(ctx context.Context, info *requestInfo) error {
	if info.op.Rate == "" || info.op.Access != operations.Public && info.op.Access != operations.Provider {
		return nil
	}
	subject := ipBucket(info.ip)
	if info.op.By == operations.ByProvider {
		subject = info.op.group
	}
	return l.publicRead(ctx, info.op.Rate, subject)
}

func (l *Limits) publicRead(ctx context.Context, rate limits.RateName, subject string) error {
	ctx, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	err := l.take(ctx, rate.Rate(), subject)
	if apperr.KindOf(err) == apperr.KindRateLimited {
		return err
	}
	return nil
}

// principal counts a request of a caller against the operation's rate. It fails if the
// database cannot be reached: every operation of such a caller needs the database.
func (l *Limits) principal(ctx context.Context, p authn.Principal) error {
	info := infoFrom(ctx)
	rate, subject := info.op.Rate.Rate(), info.subject(p)
	browser := p.Kind == authn.KindEmbed || p.Kind == authn.KindShare
	switch {
	case p.Kind == authn.KindAnonymous || info.op.Rate == "":
		return nil
	case browser && info.op.By == operations.ByKey: // visitors share the project's key
		rate, subject = limits.RateBrowserChat.Rate(), p.ProjectID+":"+ipBucket(info.ip)
	case info.op.Rate == limits.RateKeyChat:
		rate = limits.KeyChatRate(p.Plan)
	}
	return l.take(ctx, rate, subject)
}

// subject names the bucket of a caller's request. For operations of the dashboard the
// bucket holds the caller's own company: a request that names another company's project
// uses nothing of that company's rate.
func (info *requestInfo) subject(p authn.Principal) string {
	switch info.op.By {
	case operations.ByAddress:
		return ipBucket(info.ip)
	case operations.ByKey:
		return p.KeyID
	case operations.ByCompany:
		return p.CompanyID
	case operations.ByProject:
		return p.CompanyID + ":" + projectInPath(info.path)
	case operations.BySource:
		return p.CompanyID + ":" + info.path[:min(len(info.path), 200)]
	case operations.ByProvider:
		return info.op.group
	case operations.ByUser:
	}
	return p.UserID
}

func projectInPath(path string) string {
	rest, _ := strings.CutPrefix(path, "/v1/projects/")
	id, _, _ := strings.Cut(rest, "/")
	if !ids.Valid(ids.Project, id) {
		return ""
	}
	return id
}

// take counts one request and writes the RateLimit headers; 429 if the bucket is empty.
func (l *Limits) take(ctx context.Context, rate limits.Rate, subject string) error {
	d, err := l.limiter.Take(ctx, rate, subject)
	if err != nil {
		return err
	}
	writeRate(infoFrom(ctx).header, d)
	if d.Allowed {
		return nil
	}
	e := apperr.New(apperr.KindRateLimited, apperr.CodeRateLimited, "too many requests")
	e.RetryAfter = max(d.RetryAfter, time.Second)
	return e
}

// writeRate writes the RateLimit headers. Limit and its window are the sustained rate;
// Remaining is how many requests may come at once.
//
// Source: docs/decisions.md#response-headers.
func writeRate(h http.Header, d ratelimit.Decision) {
	policy := fmt.Sprintf("%d;w=%d", d.Rate.Count, WholeSeconds(d.Rate.Window))
	if d.Rate.Burst != d.Rate.Count {
		policy += ";burst=" + strconv.Itoa(d.Rate.Burst)
	}
	h.Set("RateLimit-Limit", strconv.Itoa(d.Rate.Count))
	h.Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(WholeSeconds(d.Reset)))
	h.Set("RateLimit-Policy", policy)
}
