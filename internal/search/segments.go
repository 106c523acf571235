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
	// segmentChunks is how many chunks a segment holds: about two million postings of 16 bytes.
	segmentChunks = 20_000
	// minSegmentShare: a segment is written for at least this part (1/n) of segmentChunks. Fewer
	// new chunks are scored one by one.
	minSegmentShare = 10
	// deadShare: a segment is rewritten if this part (1/n) of its chunks was deleted, because a
	// search reads their postings too.
	deadShare = 10
	// maxSmallSegments: neighbouring segments that would fit into one are merged when there are more of them than this.
	maxSmallSegments = 4
	termsPage        = 1_000
	insertRows       = 1_000
)

// errOvertaken means that another sweep works on the project or has changed its postings.
var errOvertaken = errors.New("another sweep has changed the postings")

// project is a project that a sweep works on.
type project struct {
	companyID, projectID string

	epoch int32 // of its postings when the sweep began
}

// fenced runs write in a transaction in which no other sweep writes postings of the project.
// Error: errOvertaken if another sweep does, or has changed the postings since this one began.
func (x *LargeIndexer) fenced(ctx context.Context, p project, write func(ctx context.Context, tx pgx.Tx, state dbsqlc.LargeIndexStateRow) error) error {
	return x.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		free, err := x.q.LargeIndexLock(ctx, tx, dbsqlc.LargeIndexLockParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if store.IsNoRows(err) || err == nil && !free {
			return errOvertaken
		}
		if err != nil {
			return err
		}
		state, err := x.q.LargeIndexState(ctx, tx, dbsqlc.LargeIndexStateParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if err != nil {
			return err
		}
		if state.PostingsEpoch != p.epoch {
			return errOvertaken
		}
		return write(ctx, tx, state)
	})
}

// track makes the database record deleted chunks. It is called before the first chunk is read
// for a segment.
func (x *LargeIndexer) track(ctx context.Context, p project) error {
	return x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.LargeIndexStateRow) error {
		err := x.q.PostingsDelete(ctx, tx, dbsqlc.PostingsDeleteParams{CompanyID: p.companyID, ProjectID: p.projectID})
		if err != nil {
			return err
		}
		return x.q.LargeIndexTrack(ctx, tx, dbsqlc.LargeIndexTrackParams{CompanyID: p.companyID, ProjectID: p.projectID})
	})
}

// segments writes the postings of the chunks that have none yet, up to the id below which no
// more chunks can appear. Then it rewrites segments with many deleted chunks.
func (x *LargeIndexer) segments(ctx context.Context, p project, state dbsqlc.LargeIndexStateRow) error {
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
			return fmt.Errorf("rewrite segments: %w", err)
		}
	}
	return nil
}

// extend writes a segment of the chunks after the last segment, and reports whether there may
// be more.
func (x *LargeIndexer) extend(ctx context.Context, p project, until int64) (more bool, err error) {
	err = x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, state dbsqlc.LargeIndexStateRow) error {
		if state.PostingsUntil >= until {
			return nil
		}
		seg := segment{project: p, after: state.PostingsUntil, until: until}
		if err := x.read(ctx, tx, &seg, x.Segment); err != nil || seg.chunks < x.Segment/minSegmentShare {
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

// rewrite replaces neighbouring segments by one without their deleted chunks, and reports
// whether it did.
func (x *LargeIndexer) rewrite(ctx context.Context, p project) (more bool, err error) {
	err = x.fenced(ctx, p, func(ctx context.Context, tx pgx.Tx, _ dbsqlc.LargeIndexStateRow) error {
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

// due returns the first neighbouring segments that are to be replaced: their live chunks fit
// into one segment, and either many of their chunks are deleted or there are many segments.
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
		if dead || to >= maxSmallSegments {
			return rows[:to]
		}
		rows = rows[to:]
	}
	return nil
}

// horizon returns the chunk id up to which no more chunks can appear: every transaction that may
// have reserved a lower id has ended. (A transaction gets its number before it reserves ids.)
// Every transaction that began before deletions were recorded has ended by then, too.
func (x *LargeIndexer) horizon(ctx context.Context, p project, state dbsqlc.LargeIndexStateRow) (int64, error) {
	last, err := x.q.ChunkIDsLast(ctx, x.Store.Pool())
	if err != nil {
		return 0, err
	}
	now, err := x.q.LargeIndexHorizon(ctx, x.Store.Pool()) // must be read after the id: the transaction that reserved it has begun by then
	if err != nil {
		return 0, err
	}
	switch {
	case now.Ended >= now.Begun: // no other transaction is open
		return last, nil
	case now.Ended < state.PostingsXid:
		return state.PostingsUntil, nil
	}
	return max(state.PostingsUntil, state.PostingsNext), x.q.LargeIndexNext(ctx, x.Store.Pool(), dbsqlc.LargeIndexNextParams{
		CompanyID: p.companyID, ProjectID: p.projectID, Next: last, Xid: now.Begun, Epoch: p.epoch,
	})
}

// segment holds the postings of the chunks after one id, up to and including another.
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

// read reads the terms of the segment's chunks, at most maxChunks; if there are more, the segment
// ends after those. Deleted chunks are not among them, so read removes their records.
func (x *LargeIndexer) read(ctx context.Context, tx pgx.Tx, seg *segment, maxChunks int) error {
	err := x.q.DeletedPostingsForget(ctx, tx, dbsqlc.DeletedPostingsForgetParams{
		CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: seg.after, Until: seg.until,
	})
	if err != nil {
		return err
	}
	page := dbsqlc.LargeIndexSegmentParams{
		CompanyID: seg.companyID, ProjectID: seg.projectID, AfterChunkID: seg.after, Until: seg.until,
	}
	for seg.chunks < maxChunks {
		page.RowLimit = int32(min(termsPage, maxChunks-seg.chunks))
		rows, err := x.q.LargeIndexSegment(ctx, tx, page)
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
