alter table documents drop column left_out;
