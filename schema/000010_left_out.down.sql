alter table documents drop column own_title, drop column left_out;
