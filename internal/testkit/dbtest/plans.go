package dbtest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Plans collects what the statements of a store really did: it is the tracer of
// store.Options, and the server explains each statement when it has ended
// (auto_explain), those of triggers and foreign keys too. The store's login must be a superuser, as that of URL and Blank is.
// Safe for concurrent use.
type Plans struct{ record[Plan] }

// Plan is what one statement did.
type Plan struct {
	SQL    string
	Rows   int    // that its nodes looked at, each probe of an index counted as one
	Blocks int    // of tables and indexes that it touched, as often as it did
	Text   string // as the server explains it
}

// TraceConnectStart has the server explain every statement of the connection.
func (p *Plans) TraceConnectStart(ctx context.Context, data pgx.TraceConnectStartData) context.Context {
	maps.Copy(data.ConnConfig.RuntimeParams, map[string]string{
		"session_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_analyze": "on",
		"auto_explain.log_buffers": "on", "auto_explain.log_nested_statements": "on", "auto_explain.log_timing": "off", "auto_explain.log_format": "json",
		"auto_explain.log_level": "notice",
	})
	data.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { p.note(n.Message) }
	return ctx
}

// TraceConnectEnd does nothing.
func (p *Plans) TraceConnectEnd(context.Context, pgx.TraceConnectEndData) {}

// TraceQueryStart does nothing: the plan comes with the answer.
func (p *Plans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

// TraceQueryEnd does nothing.
func (p *Plans) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (p *Plans) note(message string) {
	_, text, found := strings.Cut(message, "plan:\n")
	var doc struct {
		Text string `json:"Query Text"`
		Plan node
	}
	if !found || json.Unmarshal([]byte(text), &doc) != nil {
		return
	}
	p.add(Plan{SQL: doc.Text, Rows: doc.Plan.rows(), Blocks: doc.Plan.Hit + doc.Plan.Read, Text: text})
}

// node is one node of a plan. Its counts are the mean of its loops, those of blocks hold
// the nodes below.
type node struct {
	Loops    float64 `json:"Actual Loops"`
	Rows     float64 `json:"Actual Rows"`
	Filtered float64 `json:"Rows Removed by Filter"`
	Joined   float64 `json:"Rows Removed by Join Filter"`
	Recheck  float64 `json:"Rows Removed by Index Recheck"`
	Hit      int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	Plans    []node
}

// rows counts what scans returned and what every node dropped. What inner nodes hand on
// was counted below them.
func (n *node) rows() int {
	each := 1 + n.Filtered + n.Joined + n.Recheck
	if len(n.Plans) == 0 {
		each += n.Rows
	}
	rows := int(n.Loops * each)
	for child := range slices.Values(n.Plans) {
		rows += child.rows()
	}
	return rows
}
