drop table members, user_identities, users, company_settings, companies;
drop function add_tenant_policy(regclass);
