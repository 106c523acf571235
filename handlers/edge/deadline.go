package edge

import (
	"context"
	"errors"
	"net/http"

	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/platform/limits"
)

// errOverdue is the cause of a context that ended because its request took too long. It is
// told apart from the deadlines of models and providers, which have answers of their own.
var errOverdue = errors.New("the request took too long")

// bounded gives a request its deadline. cancel must be called.
func (e *server) bounded(r *http.Request, op operation) (_ *http.Request, cancel context.CancelFunc) {
	limit := e.requestTime
	switch {
	case op.streams():
		return r, func() {}
	case op.takesLong():
		limit = limits.LongRequestTime
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), limit, errOverdue)
	return r.WithContext(ctx), cancel
}

// overdue tells whether err came of the end of the request's own time.
func overdue(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errOverdue)
}

// streams tells whether the operation answers by a stream, or may: those end by the
// bounds of the answer and of the reader.
func (o operation) streams() bool {
	if o.api == apiRag {
		return o.name == ragapi.RagChatStreamOperation
	}
	switch o.name {
	case mainapi.ChatStreamOperation, mainapi.ResumeChatStreamOperation, mainapi.DashboardChatStreamOperation,
		mainapi.CreateOpenAIChatCompletionOperation:
		return o.api == apiMain
	}
	return false
}

// takesLong tells whether the operation waits for models, copies files or asks the
// storage for each of many.
func (o operation) takesLong() bool {
	if o.api == apiRag {
		switch o.name {
		case ragapi.RagChatOperation, ragapi.RagSearchOperation, ragapi.RagIngestOperation, ragapi.RagIngestBatchOperation,
			ragapi.CheckRagConsistencyOperation, ragapi.RepairRagConsistencyOperation:
			return true
		}
		return false
	}
	switch o.name {
	case toolsOperation, mainapi.ChatOperation, mainapi.DashboardChatOperation, mainapi.StartTestRunOperation, mainapi.ConfirmUploadOperation:
		return o.api == apiMain
	}
	return false
}
