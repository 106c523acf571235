alter table chunks drop column stems, drop column lead;
