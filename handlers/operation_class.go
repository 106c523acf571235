package handlers

import (
	"net/http"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/platform/limits"
)

// answersQuestions tells whether the operation is a public chat, which browsers and
// servers call with keys and share tokens.
func (o operation) answersQuestions() bool {
	if o.api != apiMain {
		return false
	}
	switch o.name {
	case mainapi.ChatOperation, mainapi.ChatStreamOperation, mainapi.ResumeChatStreamOperation, mainapi.CreateOpenAIChatCompletionOperation:
		return true
	}
	return false
}

// takesBrowserCredentials tells whether embed keys and share tokens are accepted. On
// every other route they are the wrong kind of credential.
//
// Source: main API section 5 rule 4; docs/decisions.md#who-may-call-what.
func (o operation) takesBrowserCredentials() bool {
	if o.api != apiMain {
		return false
	}
	switch o.name {
	case mainapi.ChatOperation, mainapi.ChatStreamOperation, mainapi.ResumeChatStreamOperation, mainapi.RateAnswerOperation,
		mainapi.EscalateConversationOperation, mainapi.CreateLeadOperation, mainapi.CreateTicketOperation:
		return true
	}
	return false
}

// public tells whether the operation asks for no credential.
func (o operation) public() bool {
	switch o.api {
	case apiExtract:
		return o.name == extractapi.GetExtractHealthOperation
	case apiRag:
		return o.name == ragapi.GetRagHealthOperation
	case apiMain:
	}
	switch o.name {
	case mainapi.GetHealthOperation, mainapi.GetPublicConfigOperation, mainapi.GetDevInfoOperation, mainapi.GetWidgetScriptOperation,
		mainapi.GetWidgetDisplayConfigOperation, mainapi.BootstrapShareOperation, mainapi.GetCodeHostDiscoveryOperation,
		mainapi.GetCodeHostKeySetOperation, mainapi.ExchangeCodeHostTokenOperation:
		return true
	}
	return false
}

// fromProvider tells whether an outside provider calls the operation: its signature
// counts over the bytes of the body, so nobody reads them first.
func (o operation) fromProvider() bool {
	if o.api != apiMain {
		return false
	}
	switch o.name {
	case mainapi.ReceiveBillingWebhookOperation, mainapi.ReceiveChatAppEventOperation, mainapi.ReceiveMsgAppWebhookOperation,
		mainapi.VerifyMsgAppWebhookOperation:
		return true
	}
	return false
}

// crossOrigin tells whether browsers of any site may read the answer: what widgets and
// share pages call. The real request then enforces the project's own list.
//
// Source: docs/decisions.md#browsers.
func (o operation) crossOrigin() bool { return o.public() || o.takesBrowserCredentials() }

// publicRate returns the rate that binds callers of a public operation by address; ok
// is false where nothing does.
func (o operation) publicRate() (rate limits.RateName, ok bool) {
	switch {
	case o.fromProvider():
		return limits.RateProviderWebhooks, true
	case !o.public(), o.name == mainapi.GetWidgetScriptOperation:
		return "", false
	case o.name == mainapi.BootstrapShareOperation:
		return limits.RateShareBootstrap, true
	case o.name == mainapi.ExchangeCodeHostTokenOperation:
		return limits.RateCodeHostToken, true
	}
	return limits.RatePublicRead, true
}

// dashboardRate returns the rate that binds a signed-in user, and what it counts by:
// the user, the company or the project.
//
// Gap: docs/decisions.md#rates, #uploads; our choice.
func (o operation) dashboardRate() (rate limits.RateName, by string) {
	switch o.name {
	case mainapi.ReserveUploadOperation, mainapi.ReserveBulkUploadOperation, mainapi.ReserveReplacementOperation:
		return limits.RateUpload, byProject
	case mainapi.ConfirmUploadOperation:
		return limits.RateUploadConfirm, byProject
	case mainapi.CrawlWebsiteOperation:
		return limits.RateCrawl, byProject
	case mainapi.StartTestRunOperation:
		return limits.RateTestRun, byProject
	case mainapi.DeployProjectOperation:
		return limits.RateDeploy, byProject
	case mainapi.SyncConnectorSourceOperation:
		return limits.RateConnectorSync, byPath
	case mainapi.ExportLeadsOperation, mainapi.ExportConversationsOperation, mainapi.ExportAnalyticsOperation:
		return limits.RateExport, byCompany
	case mainapi.InviteMemberOperation, mainapi.ResendInviteOperation:
		return limits.RateInvite, byCompany
	}
	if o.method == http.MethodGet {
		return limits.RateDashboardRead, byUser
	}
	return limits.RateDashboardWrite, byUser
}

// What a rate counts by.
const (
	byUser    = "user"
	byCompany = "company"
	byProject = "project"
	byPath    = "path"
)
