drop table api_keys, projects;
