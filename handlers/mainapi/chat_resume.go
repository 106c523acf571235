package mainapi

import (
	"context"
	"net/http"
	"strconv"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
)

// ResumeChatStream continues a streamed answer after the last frame that its reader got.
func (c *ChatAPI) ResumeChatStream(ctx context.Context, params oas.ResumeChatStreamParams, w http.ResponseWriter) error {
	project, err := edge.Project(ctx)
	if err != nil {
		return err
	}
	last, caller := params.LastEventID.Or(""), authn.Must(ctx)
	r, err := parseLastEventID(last)
	if err != nil {
		return err
	}
	r.AnswerID, r.VisitorID = params.AssistantMessageID, params.VisitorID.Or("")
	if caller.FromBrowser() && r.VisitorID == "" {
		return apperr.Validation("/visitorId", "is required with an embed key or a share token")
	}
	out := edge.NewStream(w, chatFailure)
	return out.Run(ctx, func() error {
		sink := &resumedSink{chatSink: chatSink{out: out, at: r.Seen}, begun: last != ""}
		reply, err := c.Answers.Resume(ctx, project.CompanyID, &project, caller, r, sink)
		if err == nil && !r.Ended {
			sink.resumedDone(&reply, caller, r.Sourced)
		}
		return err
	})
}

// parseLastEventID reads the id of the last frame that a reader got; it fails if no frame
// has such an id.
func parseLastEventID(last string) (chat.Resumption, error) {
	switch last {
	case "":
		return chat.Resumption{}, nil
	case idSources:
		return chat.Resumption{Sourced: true}, nil
	case idDone, idError:
		return chat.Resumption{Sourced: true, Ended: true}, nil
	}
	seen, err := strconv.Atoi(last)
	if err != nil || seen < 0 {
		return chat.Resumption{}, apperr.Validation("Last-Event-ID", "is the id of no frame")
	}
	return chat.Resumption{Seen: seen}, nil
}

// resumedSink writes the part of an answer that its reader did not get.
type resumedSink struct {
	chatSink
	begun bool // the reader has the first frame
}

// Start writes the first frame. If the reader has that frame, it only sends the header.
func (s *resumedSink) Start(e chat.ExchangeIDs) {
	if s.begun {
		s.out.Start()
		return
	}
	s.chatSink.Start(e)
}

// resumedDone writes the last frames of the stream. With sourced, the reader already has
// the sources or the lead capture prompt and does not get them again.
func (s *resumedSink) resumedDone(r *chat.Reply, caller authn.Principal, sourced bool) {
	if sourced {
		s.out.Send(idDone, doneFrame(r, caller))
		return
	}
	s.done(r, caller)
}
