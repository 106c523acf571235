-- name: SignInLock :exec
-- Makes the first requests of one person run one after the other, so that only one of them creates the account.
-- @sqlc-vet-disable tenant-scoped
select pg_advisory_xact_lock(hashtextextended(@subject::text, 0));

-- name: IdentityMembership :one
-- What every request of a signed-in person needs, in one round trip. company_id is empty if the person has no company or the company
-- was deleted. No row: this subject has never signed in.
-- @sqlc-vet-disable tenant-scoped
select i.user_id, i.email, i.email_verified, coalesce(c.company_id, '')::text as company_id, coalesce(m.role, '')::text as role,
  coalesce(c.plan, '')::text as plan, coalesce(c.status, '')::text as company_status
from user_identities i
left join members m on m.user_id = i.user_id and m.status = 'active'
left join companies c on c.company_id = m.company_id and c.status <> 'deleted'
where i.provider = @provider and i.subject = @subject;

-- name: IdentityEmailSet :exec
-- Stores the e-mail address as the identity provider sent it. The provider's address always replaces ours.
-- @sqlc-vet-disable tenant-scoped
with changed as (
  update user_identities set email = @email, email_verified = @email_verified
  where provider = @provider and subject = @subject
  returning user_id)
update users set email = @email where user_id in (select user_id from changed);
