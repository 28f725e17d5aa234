-- Unfinished uploads of builds are recorded too, so that event streams report the uploads of others. The changes feed
-- skips these rows.
alter table changes
  drop constraint changes_type_check,
  add constraint changes_type_check check (type in (
    'build', 'release', 'stream', 'label', 'custom_target', 'builds', 'releases', 'application', 'upload'));

-- For clients, an upload is deleted as soon as it is verified or aborted, or has expired.
create function record_upload() returns trigger language plpgsql as $$
declare
  upload pending_uploads := case tg_op when 'DELETE' then old else new end;
  is_deleted boolean := tg_op = 'DELETE' or upload.state not in ('requested', 'verifying');
begin
  -- The changes of a purged application are deleted, so the deletion of its uploads is not recorded.
  if tg_op = 'DELETE' and not exists (select from applications where id = upload.application_id) then
    return null;
  end if;
  perform record_changes(
    'upload', array[upload.application_id], array[upload.id::text], array[is_deleted]);
  return null;
end $$;
create trigger record_created after insert on pending_uploads for each row
  when (new.kind = 'build' and new.state in ('requested', 'verifying'))
  execute function record_upload();
create trigger record_changed after update of state, last_activity_at on pending_uploads for each row
  when (old.kind = 'build' and old.state in ('requested', 'verifying')
    and (old.state, old.last_activity_at) is distinct from (new.state, new.last_activity_at))
  execute function record_upload();
create trigger record_deleted after delete on pending_uploads for each row
  when (old.kind = 'build' and old.state in ('requested', 'verifying'))
  execute function record_upload();

-- Without these rows, the next change of an existing upload would be reported as its creation.
insert into changes (owner_id, type, resource_id, position)
select application_id, 'upload', id::text, change_position() from pending_uploads
where kind = 'build' and state in ('requested', 'verifying');
