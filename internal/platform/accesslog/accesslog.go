package accesslog

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Line is what is logged of one request. Empty members are left out.
type Line struct {
	RequestID string
	Method    string
	Route     string // the contract's path, with the names of its parameters; empty for unknown paths
	Operation string
	Status    int
	Bytes     int64 // of the response body
	Duration  time.Duration
	ClientIP  string
	Caller    string // kind and id of the principal
	CompanyID string
	ProjectID string
	Code      string // the code of the error in the answer
	Err       error  // the cause of a 5xx
}

// Write writes the line to log. It is an error line if the service failed. A request for an
// operation that is not built yet is not an error line.
func (l Line) Write(ctx context.Context, log *slog.Logger) {
	level := slog.LevelInfo
	if l.Status >= http.StatusInternalServerError && l.Status != http.StatusNotImplemented {
		level = slog.LevelError
	}
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := make([]slog.Attr, 0, 13)
	attrs = append(attrs, slog.String("request_id", l.RequestID), slog.String("method", l.Method), slog.Int("status", l.Status),
		slog.Float64("duration_ms", float64(l.Duration.Microseconds())/1000), slog.Int64("bytes", l.Bytes))
	for _, a := range []slog.Attr{
		slog.String("route", l.Route), slog.String("operation", l.Operation), slog.String("client_ip", l.ClientIP),
		slog.String("caller", l.Caller), slog.String("company_id", l.CompanyID), slog.String("project_id", l.ProjectID),
		slog.String("code", l.Code),
	} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	if l.Err != nil {
		attrs = append(attrs, slog.Any("error", l.Err))
	}
	log.LogAttrs(ctx, level, "request", attrs...)
}
