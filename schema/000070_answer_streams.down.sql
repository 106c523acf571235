drop table answer_streams;
