package apitest

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"github.com/jackc/pgx/v5"

	"docqa/internal/clock"
)

// names resolves every name below example.com to a public address but
// inside.example.com, and no other name: tests ask no name server.
type names struct{}

// LookupNetIP answers from the table.
func (names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	switch {
	case host == "inside.example.com":
		return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
	case strings.HasSuffix(host, ".example.com"):
		return []netip.Addr{netip.MustParseAddr("93.184.215.14")}, nil
	default:
		return nil, errors.New("no such host")
	}
}

// marker sets waiting documents to processing, as the start of an ingestion does; the
// documents service takes its place where a test runs the jobs.
type marker struct{ clock clock.Clock }

// StartIngest marks the documents.
func (m marker) StartIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) (int, error) {
	tag, err := tx.Exec(ctx, `update documents set status = 'processing', processing_started_at = $3
		where company_id = $1 and project_id = $2 and status in ('uploaded', 'failed')`, companyID, projectID, m.clock.Now())
	return int(tag.RowsAffected()), err
}
