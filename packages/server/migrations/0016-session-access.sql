-- The user who created the key, directly or through other keys. The key never exceeds the role of that user.
alter table api_keys add column user_id text references users;
create index api_keys_user on api_keys (user_id) where user_id is not null;

-- Deleted streams whose builds are still being moved name the actor as it was named before there were sessions.
update streams
set moved_by = jsonb_set(moved_by, '{actor}', (moved_by -> 'actor') - 'keyId' || jsonb_build_object('id', moved_by #> '{actor,keyId}'))
where moved_by #> '{actor}' ? 'keyId';
