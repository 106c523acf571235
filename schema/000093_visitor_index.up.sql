-- conversations_visitor_list_idx holds all that this one does.
drop index conversations_visitor_idx;
