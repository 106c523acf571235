drop table members, user_identities, users, company_settings, companies;
