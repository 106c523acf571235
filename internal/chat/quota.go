package chat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// usageShards is the number of rows that count a company's messages of a month. The table and its queries use the same number.
const usageShards = 16

// quota is how many messages a company may still use in a month. Each shard of the month has
// a share of the quota and never counts more messages than that. The shares together are the
// quota, so a process does not need to know what others count in other shards.
type quota struct {
	month time.Time
	now   time.Time // of the database
	limit int       // of all shards together
	used  [usageShards]int
}

// quotaOf returns the quota that an opening has read.
func quotaOf(row *dbsqlc.ExchangeOpenRow) quota {
	q := quota{month: row.Month, now: row.OpenedAt, limit: limits.PlanOf(row.Plan).MessagesPerMonth}
	for i, shard := range row.Shards {
		q.used[shard] = int(row.ShardMessages[i])
	}
	return q
}

// share returns how many messages the shard may count.
func (q *quota) share(shard int) int {
	share := max(q.limit, 0) / usageShards
	if shard < max(q.limit, 0)%usageShards {
		share++
	}
	return share
}

// exhausted tells whether all messages of the month are used.
func (q *quota) exhausted() bool {
	total := 0
	for _, used := range q.used {
		total += used
	}
	return total >= q.limit
}

// shard returns a shard that has messages left, as far as is known. It picks a random one, so
// that questions rarely wait for each other's row lock. ok is false if all are used up.
func (q *quota) shard() (shard int, ok bool) {
	first := rand.IntN(usageShards) //nolint:gosec // no secret
	for i := range usageShards {
		if shard = (first + i) % usageShards; q.used[shard] < q.share(shard) {
			return shard, true
		}
	}
	return 0, false
}

// uneven tells whether a shard has counted more than its share. This happens after a change
// to a smaller plan; the other shards would then let more through than the quota.
func (q *quota) uneven() bool {
	for shard, used := range q.used {
		if used > q.share(shard) {
			return true
		}
	}
	return false
}

// level distributes the counted messages evenly over the shards.
func (q *quota) level(ctx context.Context, s *store.Store, companyID string) error {
	err := s.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := dbsqlc.New().UsageShardsMake(ctx, tx, dbsqlc.UsageShardsMakeParams{CompanyID: companyID, Month: q.month})
		if err != nil {
			return err
		}
		return dbsqlc.New().UsageShardsLevel(ctx, tx, dbsqlc.UsageShardsLevelParams{CompanyID: companyID, Month: q.month})
	})
	if err != nil {
		return fmt.Errorf("level the usage of the month: %w", err)
	}
	return q.read(ctx, s, companyID)
}

// read reads how many messages the shards have counted by now.
func (q *quota) read(ctx context.Context, s *store.Store, companyID string) error {
	rows, err := dbsqlc.New().UsageShards(ctx, s.Pool(), dbsqlc.UsageShardsParams{CompanyID: companyID, Month: q.month})
	if err != nil {
		return fmt.Errorf("read the usage of the month: %w", err)
	}
	for _, row := range rows {
		q.used[row.Shard] = int(row.Messages)
	}
	return nil
}

// exceeded returns the error of a month whose messages are used up. It may be tried again next month.
func (q *quota) exceeded() error {
	e := apperr.New(apperr.KindRateLimited, apperr.CodeQuotaExceeded, "the messages of this month are used up")
	e.RetryAfter = q.month.AddDate(0, 1, 0).Sub(q.now)
	return e
}
