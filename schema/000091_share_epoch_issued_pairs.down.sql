alter table api_keys drop column in_pair;
alter table projects drop column share_epoch;
