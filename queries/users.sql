-- name: UserCreate :one
-- Users belong to no company by themselves; the table members connects them to one.
-- @sqlc-vet-disable tenant-scoped
insert into users (user_id, email, created_at) values (@user_id, @email, @now) returning *;

-- name: IdentityGet :one
-- No row: this subject has never signed in.
-- @sqlc-vet-disable tenant-scoped
select * from user_identities where provider = @provider and subject = @subject;

-- name: IdentityCreate :exec
-- Of two first requests at the same time, the second changes nothing: the first one's user stays.
-- @sqlc-vet-disable tenant-scoped
insert into user_identities (provider, subject, user_id, email, email_verified, created_at)
values (@provider, @subject, @user_id, @email, @email_verified, @now)
on conflict (provider, subject) do nothing;

-- name: UserIDByInvitedEmail :one
-- The user that an invitation created before the person's first sign-in; the oldest if there are several. No row: there is no invitation.
-- @sqlc-vet-disable tenant-scoped
select m.user_id from members m
where lower(m.email) = lower(@email::text) and m.status = 'invited'
  and not exists (select 1 from user_identities i where i.user_id = m.user_id)
order by m.created_at, m.user_id limit 1;
