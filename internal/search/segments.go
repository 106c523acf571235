package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/postings"
	"docqa/internal/store"
)

const (
	// segmentChunks is how many chunks are written at once: some two million postings of
	// 16 bytes.
	segmentChunks = 20_000
	// leastShare of a segment is worth one of its own; fewer chunks are judged one by one.
	leastShare = 10
	// deadShare of a segment's chunks may be deleted before it is written anew: a search
	// reads them, to subtract them.
	deadShare = 10
	// mostSmall is how many neighbouring segments lie side by side that would fit into one.
	mostSmall  = 4
	termsPage  = 1_000
	insertRows = 1_000
)

// errOvertaken says that another sweep has changed the project's postings meanwhile.
var errOvertaken = errors.New("another sweep has changed the postings")

// project is one project on the way of one sweep.
type project struct {
	companyID, projectID string

	epoch int32 // of its postings
}

// fenced runs write in a transaction in which no other sweep writes postings of the project.
// It fails with errOvertaken where one does, or where the postings are no longer those that
// this sweep began with.
func (x *LargeIndexer) fenced(ctx context.Context, p project, write func(ctx context.Context, tx pgx.Tx, state dbsqlc.PromotionStateRow) error) error {
	return x.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		free, err := x.q.PromotionLock(ctx, tx, dbsqlc.PromotionLockParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if store.IsNoRows(err) || err == nil && !free {
			return errOvertaken
		}
		if err != nil {
			return err
		}
		state, err := x.q.PromotionState(ctx, tx, dbsqlc.PromotionStateParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if err != nil {
			return err
		}
		if state.PostingsEpoch != p.epoch {
			return errOvertaken
		}
		return write(ctx, tx, state)
	})
}

// track has deleted chunks noted, before the first chunk is read for a segment.
func (x *LargeIndexer) track(ctx context.Context, p project) error {
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		err := x.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if err != nil {
			return err
		}
		return x.q.PromotionTrack(ctx, tx, dbsqlc.PromotionTrackParams{CompanyID: p.companyID, ProjectID: p.projectID})
	})
}

// segments writes the postings of the chunks that are in none yet, as far as is certain
// that no chunk will appear among them, and then anew those that hold many deleted chunks.
func (x *LargeIndexer) segments(ctx context.Context, p project, state dbsqlc.PromotionStateRow) error {
	until, err := x.horizon(ctx, p, state)
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = x.extend(ctx, p, until); err != nil {
			return fmt.Errorf("write a segment: %w", err)
		}
	}
	for more := true; more; {
		if more, err = x.rewrite(ctx, p); err != nil {
			return fmt.Errorf("write segments anew: %w", err)
		}
	}
	return nil
}

// extend writes a segment of the chunks behind the last one, and tells whether there may be
// more of them.
func (x *LargeIndexer) extend(ctx context.Context, p project, until int64) (more bool, err error) {
	err = x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, state dbsqlc.PromotionStateRow) error {
		if state.PostingsUntil >= until {
			return nil
		}
		seg := segment{project: p, after: state.PostingsUntil, until: until}
		if err := x.read(ctx, tx, &seg, x.Segment); err != nil || seg.chunks < x.Segment/leastShare {
			return err
		}
		if err := x.write(ctx, tx, &seg); err != nil {
			return err
		}
		more = seg.until < until
		return x.q.PostingsUntil(ctx, tx, dbsqlc.PostingsUntilParams{CompanyID: p.companyID, ProjectID: p.projectID, Until: seg.until})
	})
	return more, err
}

// rewrite replaces some neighbouring segments by one without their deleted chunks, and tells
// whether there were any to replace.
func (x *LargeIndexer) rewrite(ctx context.Context, p project) (more bool, err error) {
	err = x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.PromotionStateRow) error {
		rows, err := x.q.PostingSegments(ctx, tx, dbsqlc.PostingSegmentsParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if err != nil {
			return err
		}
		group := x.due(rows)
		if len(group) == 0 {
			return nil
		}
		more = true
		seg := segment{project: p, after: group[0].AfterChunkID, until: group[len(group)-1].UntilChunkID}
		if err := x.read(ctx, tx, &seg, math.MaxInt); err != nil {
			return err
		}
		numbers := make([]int32, len(group))
		for i, row := range group {
			numbers[i] = row.Segment
		}
		err = x.q.PostingSegmentsDelete(ctx, tx, dbsqlc.PostingSegmentsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID, Segments: numbers})
		if err != nil || seg.chunks == 0 {
			return err
		}
		return x.write(ctx, tx, &seg)
	})
	return more, err
}

// due are the first neighbouring segments whose live chunks fit into one and of which many
// are deleted, or which are many themselves; none where there are no such segments.
func (x *LargeIndexer) due(rows []dbsqlc.PostingSegmentsRow) []dbsqlc.PostingSegmentsRow {
	for len(rows) > 0 {
		live, dead, to := 0, false, 0
		for ; to < len(rows); to++ {
			row := rows[to]
			if live += int(row.Chunks - row.Deleted); live > x.Segment && to > 0 {
				break
			}
			dead = dead || row.Deleted*deadShare >= row.Chunks
		}
		if dead || to >= mostSmall {
			return rows[:to]
		}
		rows = rows[to:]
	}
	return nil
}

// horizon is up to which id no chunk will appear any more: every transaction that may have
// reserved one below has ended. A transaction has its number before it reserves ids. With it
// every transaction has ended that did not know yet that deleted chunks are noted.
func (x *LargeIndexer) horizon(ctx context.Context, p project, state dbsqlc.PromotionStateRow) (int64, error) {
	last, err := x.q.ChunkIDsLast(ctx, x.Store.Pool())
	if err != nil {
		return 0, err
	}
	now, err := x.q.PromotionHorizon(ctx, x.Store.Pool()) // after the id: who reserved it has begun
	if err != nil {
		return 0, err
	}
	switch {
	case now.Ended >= now.Begun: // nobody else is at work
		return last, nil
	case now.Ended < state.PostingsXid:
		return state.PostingsUntil, nil
	}
	return max(state.PostingsUntil, state.PostingsNext), x.q.PromotionNext(ctx, x.Store.Pool(), dbsqlc.PromotionNextParams{
		CompanyID: p.companyID, ProjectID: p.projectID, Next: last, Xid: now.Begun, Epoch: p.epoch,
	})
}

// segment are the postings of the chunks after one id, up to and including another.
type segment struct {
	project

	after, until int64
	chunks       int
	terms        []termPosting
}

type termPosting struct {
	term int32
	postings.Posting
}

// read takes the segment's chunks. It ends before the segment's end after most of them, and
// that is the end then. Those deleted by now are not among them, and need no note any more.
func (x *LargeIndexer) read(ctx context.Context, tx pgx.Tx, seg *segment, most int) error {
	err := x.q.DeletedPostingsForget(ctx, tx, dbsqlc.DeletedPostingsForgetParams{
		CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: seg.after, Until: seg.until,
	})
	if err != nil {
		return err
	}
	page := dbsqlc.PromotionSegmentParams{
		CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: seg.after, Until: seg.until,
	}
	for seg.chunks < most {
		page.RowLimit = int32(min(termsPage, most-seg.chunks))
		rows, err := x.q.PromotionSegment(ctx, tx, page)
		if err != nil {
			return err
		}
		for _, row := range rows {
			weights := row.Terms.Values()
			for i, term := range row.Terms.Indices() {
				seg.terms = append(seg.terms, termPosting{term, postings.Posting{Chunk: row.ChunkID, Weight: weights[i]}})
			}
			page.AfterChunkID = row.ChunkID
		}
		seg.chunks += len(rows)
		if len(rows) < int(page.RowLimit) {
			return nil
		}
	}
	seg.until = page.AfterChunkID
	return nil
}

// write stores a segment.
func (x *LargeIndexer) write(ctx context.Context, tx pgx.Tx, seg *segment) error {
	number, err := x.q.PostingSegmentInsert(ctx, tx, dbsqlc.PostingSegmentInsertParams{
		CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: seg.after, UntilChunkID: seg.until, Chunks: int32(seg.chunks),
	})
	if err != nil {
		return err
	}
	slices.SortFunc(seg.terms, func(a, b termPosting) int {
		return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.Chunk, b.Chunk))
	})
	var rows []dbsqlc.PostingsInsertParams
	flush := func() error {
		err := store.ExecAll(x.q.PostingsInsert(ctx, tx, rows))
		rows = rows[:0]
		return err
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
	return nil
}
