-- How often the way in which a project is shared has changed. Share tokens hold it: one that was issued before sharing was
-- switched off stays dead when it is switched on again.
alter table projects add column share_epoch integer not null default 0;

-- Keys that a deploy or a rotation issued as the project's pair, which later deploys name. So far a deploy named the newest
-- usable live key of each kind, whoever made it: where there was a deploy, that remains.
alter table api_keys add column in_pair boolean not null default false;
select set_config('app.company_id', '*', true);
update api_keys k set in_pair = true
from projects p
where p.company_id = k.company_id and p.project_id = k.project_id and p.last_deployed_at is not null
  and k.key_id = (select o.key_id from api_keys o
    where o.company_id = k.company_id and o.project_id = k.project_id and o.kind = k.kind and o.environment = 'live' and o.status = 'active'
      and o.expires_at is null
    order by o.created_at desc, o.key_id desc limit 1);
