-- name: MemberActiveByUser :one
-- The user's active membership (at most one), with the plan and status of its company. No row: the user is in no company.
-- @sqlc-vet-disable tenant-scoped
select m.company_id, m.user_id, m.email, m.role, c.plan, c.status as company_status
from members m join companies c on c.company_id = m.company_id
where m.user_id = @user_id and m.status = 'active';

-- name: MemberCreate :one
insert into members (company_id, user_id, email, role, status, invited_at, joined_at, created_at, updated_at)
values (@company_id, @user_id, @email, @role, @status, sqlc.narg(invited_at), sqlc.narg(joined_at), @now, @now)
returning *;

-- name: MemberActivate :one
-- Makes the newest invitation of this e-mail address an active membership, if it has not expired. No row: there is no such invitation,
-- or the person is already active in a company.
-- @sqlc-vet-disable tenant-scoped
update members m set status = 'active', user_id = @user_id, joined_at = @now::timestamptz, updated_at = @now::timestamptz
where (m.company_id, m.user_id) in (
    select i.company_id, i.user_id from members i join companies c on c.company_id = i.company_id
    where lower(i.email) = lower(@email::text) and i.status = 'invited' and i.invited_at > @not_before::timestamptz
      and c.status = 'active'
    order by i.invited_at desc, i.company_id limit 1 for update of i skip locked)
  and not exists (select 1 from members a where a.user_id = @user_id and a.status = 'active')
returning m.*;

-- name: MemberGet :one
select * from members where company_id = @company_id and user_id = @user_id;
