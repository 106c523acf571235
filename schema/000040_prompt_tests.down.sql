drop table test_run_items;
drop table test_runs;
drop table test_prompts;
