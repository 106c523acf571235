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

// Plans collects how the server executed the statements of a store. It is a tracer for
// store.Options; the server explains each statement when it has ended (auto_explain), also
// those of triggers and foreign keys. The store's login must be a superuser, as in URL and
// Blank. Safe for concurrent use.
type Plans struct{ record[Plan] }

// Plan says how one statement was executed.
type Plan struct {
	SQL    string
	Rows   int    // rows that its nodes read; each probe of an index counts as one
	Blocks int    // blocks of tables and indexes that it read, counted each time
	Text   string // as the server explains it
}

// TraceConnectStart makes the server explain every statement of the connection.
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

// node is one node of a plan. Its counts are means over its loops. The blocks include those of
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

// rows counts the rows that scans returned and that every node dropped. Rows that inner nodes
// pass on were counted below them.
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
