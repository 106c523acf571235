drop table test_run_items, test_runs, test_prompts;
