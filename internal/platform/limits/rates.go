package limits

import "time"

// Rate is one rate limit: Count requests each Window, Burst of them at once.
type Rate struct {
	Name   RateName // two names never share a bucket
	Count  int
	Window time.Duration
	Burst  int
}

// Period is the time after which one more request is allowed. It is at least a microsecond,
// the smallest unit of the database.
func (r Rate) Period() time.Duration {
	return max(r.Window/time.Duration(max(r.Count, 1)), time.Microsecond)
}

// Scaled returns the rate with its numbers multiplied by scale, at least 1 each.
func (r Rate) Scaled(scale float64) Rate {
	r.Count = max(int(float64(r.Count)*scale), 1)
	r.Burst = max(int(float64(r.Burst)*scale), 1)
	return r
}

// RateName names a rate limit.
type RateName string

// The rate limits. The comments say what each is counted by.
//
// Gap: docs/decisions.md#rates; our choice.
const (
	RatePublicRead       RateName = "public_read"       // IP
	RateShareBootstrap   RateName = "share_bootstrap"   // IP
	RateCodeHostToken    RateName = "codehost_token"    // IP
	RateBrowserChat      RateName = "browser_chat"      // project and IP
	RateVisitorChat      RateName = "visitor_chat"      // project and visitor
	RateFeedback         RateName = "feedback"          // IP
	RateKeyChat          RateName = "key_chat"          // key, by plan
	RateKeyOther         RateName = "key_other"         // key
	RateDashboardRead    RateName = "dashboard_read"    // user
	RateDashboardWrite   RateName = "dashboard_write"   // user
	RateUpload           RateName = "upload"            // project
	RateUploadConfirm    RateName = "upload_confirm"    // project
	RateCrawl            RateName = "crawl"             // project
	RateConnectorSync    RateName = "connector_sync"    // source
	RateTestRun          RateName = "test_run"          // project
	RateDeploy           RateName = "deploy"            // project
	RateExport           RateName = "export"            // company
	RateInvite           RateName = "invite"            // company
	RateRag              RateName = "rag"               // service key
	RateRefusals         RateName = "refusals"          // IP
	RateProviderWebhooks RateName = "provider_webhooks" // provider
)

// Rate returns the numbers of the limit. Those of RateKeyChat depend on the plan: see
// KeyChatRate.
func (n RateName) Rate() Rate {
	switch n {
	case RatePublicRead:
		return Rate{Name: n, Count: 60, Window: time.Minute, Burst: 20}
	case RateShareBootstrap, RateCodeHostToken, RateBrowserChat, RateFeedback, RateKeyChat:
		return perMinute(n, 30)
	case RateVisitorChat:
		return perMinute(n, 20)
	case RateKeyOther, RateDashboardRead:
		return perMinute(n, 300)
	case RateDashboardWrite, RateRefusals:
		return perMinute(n, 60)
	case RateUpload, RateUploadConfirm:
		return perMinute(n, 120)
	case RateRag:
		return perMinute(n, 600)
	case RateProviderWebhooks:
		return perMinute(n, 1200)
	case RateCrawl:
		return perHour(n, 6)
	case RateExport:
		return perHour(n, 10)
	case RateConnectorSync:
		return perHour(n, 12)
	case RateTestRun:
		return perHour(n, 20)
	case RateDeploy, RateInvite:
		return perHour(n, 30)
	}
	return perMinute(n, 60)
}

// KeyChatRate is the chat rate of one integration key on the named plan.
func KeyChatRate(plan string) Rate { return perMinute(RateKeyChat, PlanOf(plan).ChatPerMinute) }

func perMinute(n RateName, count int) Rate {
	return Rate{Name: n, Count: count, Window: time.Minute, Burst: count}
}

func perHour(n RateName, count int) Rate {
	return Rate{Name: n, Count: count, Window: time.Hour, Burst: count}
}
