package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"docqa/internal/store"
)

// fairDriver is River's driver with two statements of our own.
//
// One chooses the next jobs of the queues in share. River would choose the oldest jobs. Here
// companies take turns: first the company that used the least working time in the last minute.
// No company holds more than its share of this process's workers.
//
// The other writes the outcome of a job only if this process still runs it. River checks
// whether the job runs, but not in which process.
//
// Both statements write River's own table. A test pins the version of River.
type fairDriver struct {
	*riverpgxv5.Driver

	owner string
	share map[string]int // how many workers of a queue one company may hold, by queue
	ended endedJobs
}

// endedJobs are jobs that have ended, but whose outcome River has not written yet. It writes
// outcomes a few times a second; their workers are free before that.
type endedJobs struct {
	mu  sync.Mutex
	ids map[int64]bool
}

func (e *endedJobs) add(id int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ids == nil {
		e.ids = map[int64]bool{}
	}
	e.ids[id] = true
}

func (e *endedJobs) remove(ids []int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range ids {
		delete(e.ids, id)
	}
}

func (e *endedJobs) list() []int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.AppendSeq(make([]int64, 0, len(e.ids)), maps.Keys(e.ids))
}

// GetExecutor returns River's executor with our statements.
func (d *fairDriver) GetExecutor() riverdriver.Executor {
	return &fairExecutor{Executor: d.Driver.GetExecutor(), driver: d}
}

type fairExecutor struct {
	riverdriver.Executor

	driver *fairDriver
}

// takeTurns chooses jobs and marks them as running. It finds the waiting companies by skipping
// from one to the next in the index, so a long queue does not slow it down. $1 queue, $2 owner,
// $3 number of jobs, $4 a company's share, $5 how many owners a job remembers, $6 ended jobs,
// which hold no worker.
const takeTurns = `
with recursive company (id) as (
  (select coalesce(j.args ->> 'company_id', '') from river_job j
   where j.state = 'available' and j.queue = $1::text order by coalesce(j.args ->> 'company_id', '') limit 1)
  union all
  select (select coalesce(j.args ->> 'company_id', '') from river_job j
    where j.state = 'available' and j.queue = $1::text and coalesce(j.args ->> 'company_id', '') > c.id
    order by coalesce(j.args ->> 'company_id', '') limit 1)
  from company c where c.id is not null
), busy as materialized (
  select coalesce(r.args ->> 'company_id', '') as id, count(*) as n from river_job r
  where r.state = 'running' and r.queue = $1::text and r.attempted_by[array_upper(r.attempted_by, 1)] = $2::text
    and r.id <> all($6::bigint[]) group by 1
), choice as materialized (
  select waiting.id from company c
  left join busy on busy.id = c.id
  left join work_shares w on w.company_id = c.id and w.queue = $1::text
  cross join lateral (
    select j.id, row_number() over (order by j.priority, j.scheduled_at, j.id) as place from river_job j
    where j.state = 'available' and j.queue = $1::text and coalesce(j.args ->> 'company_id', '') = c.id and j.scheduled_at <= now()
    order by j.priority, j.scheduled_at, j.id limit greatest($4::bigint - coalesce(busy.n, 0), 0)
  ) waiting
  where c.id is not null
  order by coalesce(w.seconds * exp(extract(epoch from w.updated_at - now()) / 60), 0) + coalesce(busy.n, 0) + waiting.place, waiting.id
  limit $3::bigint
), locked as (
  select j.id from river_job j where j.id in (select choice.id from choice) and j.state = 'available' for update skip locked
), begun as (
  update river_job j set state = 'running', attempt = j.attempt + 1, attempted_at = now(),
    attempted_by = array_append(case when array_length(j.attempted_by, 1) >= $5::int
      then j.attempted_by[array_length(j.attempted_by, 1) + 2 - $5::int:] else j.attempted_by end, $2::text)
  from locked where j.id = locked.id
  returning j.id
)
select coalesce(array_agg(begun.id), '{}') from begun`

// JobGetAvailable chooses jobs, marks them as running and returns them.
func (e *fairExecutor) JobGetAvailable(ctx context.Context, p *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	share, fair := e.driver.share[p.Queue]
	if !fair {
		return e.Executor.JobGetAvailable(ctx, p)
	}
	tx, err := e.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin to fetch jobs: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var ids []int64
	err = tx.QueryRow(ctx, takeTurns, p.Queue, p.ClientID, p.MaxToLock, share, min(p.MaxAttemptedBy, math.MaxInt32), e.driver.ended.list()).Scan(&ids)
	if err != nil {
		return nil, fmt.Errorf("fetch jobs: %w", err)
	}
	result := &riverdriver.JobGetAvailableResult{}
	if len(ids) > 0 {
		if result.Jobs, err = tx.JobGetByIDMany(ctx, &riverdriver.JobGetByIDManyParams{ID: ids, Schema: p.Schema}); err != nil {
			return nil, fmt.Errorf("read the fetched jobs: %w", err)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, fmt.Errorf("fetch jobs: %w", err)
	}
	return result, nil
}

// owned locks and returns those of the jobs that this process runs.
const owned = `
select coalesce(array_agg(j.id), '{}') from (
  select id from river_job
  where id = any($1::bigint[]) and state = 'running' and attempted_by[array_upper(attempted_by, 1)] = $2::text for update
) j`

// JobSetStateIfRunningMany writes the outcomes of the jobs that this process still runs.
func (e *fairExecutor) JobSetStateIfRunningMany(ctx context.Context, p *riverdriver.JobSetStateIfRunningManyParams) ([]*rivertype.JobRow, error) {
	tx, err := e.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin to end jobs: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var ours []int64
	if err := tx.QueryRow(ctx, owned, p.ID, e.driver.owner).Scan(&ours); err != nil {
		return nil, fmt.Errorf("lock the jobs of this process: %w", err)
	}
	rows, err := tx.JobSetStateIfRunningMany(ctx, only(p, ours))
	if err != nil {
		return nil, fmt.Errorf("end jobs: %w", err)
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, fmt.Errorf("end jobs: %w", err)
	}
	e.driver.ended.remove(p.ID)
	return rows, nil
}

// only returns the part of p that is about the jobs ids.
func only(p *riverdriver.JobSetStateIfRunningManyParams, ids []int64) *riverdriver.JobSetStateIfRunningManyParams {
	ours := make(map[int64]bool, len(ids))
	for _, id := range ids {
		ours[id] = true
	}
	out := &riverdriver.JobSetStateIfRunningManyParams{Now: p.Now, Schema: p.Schema}
	for i, id := range p.ID {
		if !ours[id] {
			continue
		}
		out.ID, out.Attempt, out.ErrData = append(out.ID, id), append(out.Attempt, p.Attempt[i]), append(out.ErrData, p.ErrData[i])
		out.FinalizedAt, out.ScheduledAt = append(out.FinalizedAt, p.FinalizedAt[i]), append(out.ScheduledAt, p.ScheduledAt[i])
		out.MetadataDoMerge = append(out.MetadataDoMerge, p.MetadataDoMerge[i])
		out.MetadataUpdates = append(out.MetadataUpdates, p.MetadataUpdates[i])
		out.State = append(out.State, p.State[i])
	}
	return out
}

// addWorkTime adds to the working time of a company in a queue, and makes River fetch jobs of
// the queue again. River stops fetching when it gets fewer jobs than it asked for, because it
// takes the queue for empty. Here the companies' shares may have been used up instead.
const addWorkTime = `
with noted as (
  insert into work_shares as w (company_id, queue, seconds, updated_at) values ($1, $2, $3, now())
  on conflict (company_id, queue) do update
  set seconds = w.seconds * exp(extract(epoch from w.updated_at - now()) / 60) + excluded.seconds, updated_at = now()
)
select pg_notify(current_schema() || '.river_insert', jsonb_build_object('queue', $2::text)::text)`

// accountTime limits the statement that stores how long a job took.
const accountTime = 5 * time.Second

// account measures the jobs of the queues where companies take turns, and adds their time to
// the working time of their company.
func (d *fairDriver) account(deps Deps) func(context.Context, *rivertype.JobRow, func(context.Context) error) error {
	return func(ctx context.Context, job *rivertype.JobRow, do func(context.Context) error) error {
		var args struct {
			CompanyID string `json:"company_id"`
		}
		if _, fair := d.share[job.Queue]; !fair || json.Unmarshal(job.EncodedArgs, &args) != nil || args.CompanyID == "" {
			return do(ctx)
		}
		began := deps.Clock.Now()
		err := do(ctx)
		d.ended.add(job.ID)
		note, cancel := context.WithTimeout(store.AsCompany(context.WithoutCancel(ctx), args.CompanyID), accountTime)
		defer cancel()
		if _, failed := deps.Store.Pool().Exec(note, addWorkTime, args.CompanyID, job.Queue, deps.Clock.Now().Sub(began).Seconds()); failed != nil {
			deps.Logger.WarnContext(ctx, "the working time of a job was not stored", slog.Any("error", failed))
		}
		return err
	}
}
