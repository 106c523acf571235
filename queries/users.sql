-- name: UserCreate :one
-- People stand above companies, members ties them to one.
-- @sqlc-vet-disable tenant-scoped
insert into users (user_id, email, created_at) values (@user_id, @email, @now) returning *;

-- name: IdentityGet :one
-- No row: this subject has never signed in.
-- @sqlc-vet-disable tenant-scoped
select * from user_identities where provider = @provider and subject = @subject;

-- name: IdentityCreate :exec
-- Two first requests at once may race, the second keeps the first one's user.
-- @sqlc-vet-disable tenant-scoped
insert into user_identities (provider, subject, user_id, email, email_verified, created_at)
values (@provider, @subject, @user_id, @email, @email_verified, @now)
on conflict (provider, subject) do nothing;

-- name: UserIDByInvitedEmail :one
-- The person that an invitation made before the first sign-in, the oldest one wins. No row: nobody was invited.
-- @sqlc-vet-disable tenant-scoped
select m.user_id from members m
where lower(m.email) = lower(@email::text) and m.status = 'invited'
  and not exists (select 1 from user_identities i where i.user_id = m.user_id)
order by m.created_at, m.user_id limit 1;
