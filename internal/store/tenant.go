package store

import (
	"context"
	"time"

	"docqa/internal/platform/authn"
	"docqa/internal/platform/limits"
)

// everyCompany is the setting for which the policies show every row.
const everyCompany = "*"

type scopeKey struct{}

// AsCompany returns a context whose connections see only the rows of companyID.
// Workers use it; requests get the same from their principal.
func AsCompany(ctx context.Context, companyID string) context.Context {
	return context.WithValue(ctx, scopeKey{}, companyID)
}

// AsSystem returns a context whose connections see every company's rows: for sweeps
// and for credentials whose company is not known yet. The reason is for readers of the call.
func AsSystem(ctx context.Context, reason string) context.Context {
	_ = reason
	return context.WithValue(ctx, scopeKey{}, everyCompany)
}

// scope returns the company that ctx is bound to, "" for none.
func scope(ctx context.Context) string {
	if s, ok := ctx.Value(scopeKey{}).(string); ok {
		return s
	}
	return authn.Must(ctx).CompanyID
}

type jobKey struct{}

// ForJobs returns a context whose statements may take as long as a job: a sweep or the build of
// an index reads more than a request may.
func ForJobs(ctx context.Context) context.Context { return context.WithValue(ctx, jobKey{}, true) }

// statementTimeOf returns how long a statement of ctx may take: ofRequests, unless ctx belongs
// to a job.
func statementTimeOf(ctx context.Context, ofRequests time.Duration) time.Duration {
	if ctx.Value(jobKey{}) != nil {
		return limits.JobStatementTime
	}
	return ofRequests
}
