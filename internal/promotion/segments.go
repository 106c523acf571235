package promotion

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/postings"
)

const (
	// segmentChunks is how many chunks are written at once: some two million postings of
	// 16 bytes.
	segmentChunks = 20_000
	// leastShare of a segment is worth one of its own; fewer chunks are judged one by one.
	leastShare = 10
	termsPage  = 1_000
	insertRows = 1_000
)

// segments writes the postings of the chunks that are in none yet, as far as is certain
// that no chunk will appear among them.
func (s *Service) segments(ctx context.Context, companyID, projectID string, state dbsqlc.PromotionStateRow) error {
	until, err := s.horizon(ctx, companyID, projectID, state)
	if err != nil {
		return err
	}
	for after := state.PostingsUntil; after < until; {
		seg := segment{companyID: companyID, projectID: projectID}
		if after, err = s.read(ctx, &seg, after, until); err != nil {
			return err
		}
		if seg.chunks < s.Segment/leastShare {
			return nil
		}
		seg.until = after
		if err := s.write(ctx, &seg); err != nil {
			return err
		}
	}
	return nil
}

// horizon is up to which id no chunk will appear any more: every transaction that may have
// reserved one below has ended. A transaction has its number before it reserves ids.
func (s *Service) horizon(ctx context.Context, companyID, projectID string, state dbsqlc.PromotionStateRow) (int64, error) {
	last, err := s.q.ChunkIDsLast(ctx, s.Store.Pool())
	if err != nil {
		return 0, err
	}
	now, err := s.q.PromotionHorizon(ctx, s.Store.Pool()) // after the id: who reserved it has begun
	if err != nil {
		return 0, err
	}
	switch {
	case now.Ended >= now.Begun: // nobody else is at work
		return last, nil
	case now.Ended < state.PostingsXid:
		return state.PostingsUntil, nil
	}
	return max(state.PostingsUntil, state.PostingsNext), s.q.PromotionNext(ctx, s.Store.Pool(), dbsqlc.PromotionNextParams{
		CompanyID: companyID, ProjectID: projectID, Next: last, Xid: now.Begun,
	})
}

// segment are the postings of some chunks.
type segment struct {
	companyID, projectID string

	chunks int
	until  int64 // the last of the chunks
	terms  []termPosting
}

type termPosting struct {
	term int32
	postings.Posting
}

// read takes a segment's chunks and tells which was the last.
func (s *Service) read(ctx context.Context, seg *segment, after, until int64) (int64, error) {
	page := dbsqlc.PromotionSegmentParams{CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: after, Until: until, RowLimit: termsPage}
	for seg.chunks < s.Segment {
		rows, err := s.q.PromotionSegment(ctx, s.Store.Pool(), page)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			weights := row.Terms.Values()
			for i, term := range row.Terms.Indices() {
				seg.terms = append(seg.terms, termPosting{term, postings.Posting{Chunk: row.ChunkID, Weight: weights[i]}})
			}
			page.AfterChunkID = row.ChunkID
		}
		seg.chunks += len(rows)
		if len(rows) < termsPage {
			return until, nil
		}
	}
	return page.AfterChunkID, nil
}

// write stores a segment, of which searches know from then on.
func (s *Service) write(ctx context.Context, seg *segment) error {
	slices.SortFunc(seg.terms, func(a, b termPosting) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.Chunk, b.Chunk))
	})
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		number, err := s.q.PostingsNextSegment(ctx, tx, dbsqlc.PostingsNextSegmentParams{CompanyID: seg.companyID, ProjectID: seg.projectID})
		if err != nil {
			return err
		}
		var rows []dbsqlc.PostingsInsertParams
		flush := func() (first error) {
			s.q.PostingsInsert(ctx, tx, rows).Exec(func(_ int, err error) { first = cmp.Or(first, err) })
			rows = rows[:0]
			return first
		}
		for from := 0; from < len(seg.terms); {
			term, to := seg.terms[from].term, from
			var list []postings.Posting
			for ; to < len(seg.terms) && seg.terms[to].term == term; to++ {
				list = append(list, seg.terms[to].Posting)
			}
			rows = append(rows, dbsqlc.PostingsInsertParams{
				CompanyID: seg.companyID, ProjectID: seg.projectID, Term: term, Segment: number, Postings: postings.Pack(list),
			})
			if from = to; len(rows) == insertRows || from == len(seg.terms) {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return s.q.PostingsUntil(ctx, tx, dbsqlc.PostingsUntilParams{CompanyID: seg.companyID, ProjectID: seg.projectID, Until: seg.until})
	})
}
