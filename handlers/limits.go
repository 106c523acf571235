package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/ratelimit"
)

// publicPatience is how long a public read waits for its limit: with the database away
// it is answered all the same, since it needs none.
const publicPatience = 250 * time.Millisecond

// Limits counts requests and writes the RateLimit headers. Handlers use it for the
// limits that depend on a value in the body.
type Limits struct{ limiter *ratelimit.Limiter }

// NewLimits returns the limits of the edge.
func NewLimits(l *ratelimit.Limiter) *Limits { return &Limits{limiter: l} }

// Visitor counts one question of a visitor of a project; 429 where there are too many.
func (l *Limits) Visitor(ctx context.Context, projectID, visitorID string) error {
	return l.take(ctx, limits.RateVisitorChat.Rate(), projectID+":"+visitorID)
}

// failedCredential counts a credential that was refused, by address; 429 where there
// were too many.
//
// Gap: docs/decisions.md#order-of-checks; our choice of the number.
func (l *Limits) failedCredential(ctx context.Context) error {
	return l.take(ctx, limits.RateRefusals.Rate(), ipBucket(infoFrom(ctx).ip))
}

// public counts a request that needs no credential, by address.
func (l *Limits) public(ctx context.Context, info *requestInfo) error {
	rate, ok := info.op.publicRate()
	if !ok {
		return nil
	}
	subject := ipBucket(info.ip)
	if rate == limits.RateProviderWebhooks {
		subject = info.op.group
	}
	return l.publicRead(ctx, rate, subject)
}

func (l *Limits) publicRead(ctx context.Context, rate limits.RateName, subject string) error {
	ctx, cancel := context.WithTimeout(ctx, publicPatience)
	defer cancel()
	err := l.take(ctx, rate.Rate(), subject)
	if apperr.KindOf(err) == apperr.RateLimited {
		return err
	}
	return nil
}

// principal counts a request of a caller, by what its credential is limited by. With
// the database away it fails: nothing that such a caller asks for could be answered.
func (l *Limits) principal(ctx context.Context, p authn.Principal) error {
	info := infoFrom(ctx)
	feedback := info.op.api == apiMain && info.op.name == mainapi.RateAnswerOperation
	switch p.Kind {
	case authn.KindUser:
		rate, by := info.op.dashboardRate()
		return l.take(ctx, rate.Rate(), dashboardSubject(p, by, info.path))
	case authn.KindKey:
		switch {
		case feedback:
			return l.take(ctx, limits.RateFeedback.Rate(), ipBucket(info.ip))
		case info.op.answersQuestions():
			return l.take(ctx, limits.KeyChatRate(p.Plan), p.KeyID)
		}
		return l.take(ctx, limits.RateKeyOther.Rate(), p.KeyID)
	case authn.KindEmbed, authn.KindShare:
		if feedback {
			return l.take(ctx, limits.RateFeedback.Rate(), ipBucket(info.ip))
		}
		return l.take(ctx, limits.RateBrowserChat.Rate(), p.ProjectID+":"+ipBucket(info.ip))
	case authn.KindRagService:
		return l.take(ctx, limits.RateRag.Rate(), p.KeyID)
	case authn.KindAnonymous:
	}
	return nil
}

// dashboardSubject names the bucket of a user's request. It always holds the caller's
// own company: naming a foreign project takes nothing from its owner's bucket.
func dashboardSubject(p authn.Principal, by, path string) string {
	switch by {
	case byCompany:
		return p.CompanyID
	case byProject:
		return p.CompanyID + ":" + projectInPath(path)
	case byPath:
		return p.CompanyID + ":" + path[:min(len(path), 200)]
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

// take counts one request and writes the headers; 429 where it is refused.
func (l *Limits) take(ctx context.Context, rate limits.Rate, subject string) error {
	d, err := l.limiter.Take(ctx, rate, subject)
	if err != nil {
		return err
	}
	writeRate(infoFrom(ctx).header, d)
	if d.Allowed {
		return nil
	}
	e := apperr.New(apperr.RateLimited, "rate_limited", "too many requests")
	e.RetryAfter = max(d.RetryAfter, time.Second)
	return e
}

// writeRate writes the headers of a limited route. Limit and its window are the
// sustained rate; Remaining is what may come at once.
//
// Source: docs/decisions.md#response-headers.
func writeRate(h http.Header, d ratelimit.Decision) {
	policy := fmt.Sprintf("%d;w=%d", d.Rate.Count, wholeSeconds(d.Rate.Window))
	if d.Rate.Burst != d.Rate.Count {
		policy += ";burst=" + strconv.Itoa(d.Rate.Burst)
	}
	h.Set("RateLimit-Limit", strconv.Itoa(d.Rate.Count))
	h.Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(wholeSeconds(d.Reset)))
	h.Set("RateLimit-Policy", policy)
}
