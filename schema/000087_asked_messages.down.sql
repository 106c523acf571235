drop index messages_asked_idx;
