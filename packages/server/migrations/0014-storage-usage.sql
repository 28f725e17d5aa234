-- Bytes that the builds of an application keep, those in the trash too: what came and what went, written beside each
-- other, so that writers never wait for a counter. A job adds them up; their sum is right at every moment.
create table storage_usage (
  id bigint generated always as identity primary key,
  application_id text not null,
  bytes bigint not null
);
alter table storage_usage set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index storage_usage_application on storage_usage (application_id) include (bytes);

create function note_stored_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_usage (application_id, bytes)
    select application_id, sum(size_total_bytes + metadata_total_bytes) from new_rows group by application_id;
  else
    -- where the application goes too, its rows are gone before its builds are
    insert into storage_usage (application_id, bytes)
    select application_id, -sum(size_total_bytes + metadata_total_bytes) from old_rows
    where application_id in (select id from applications) group by application_id;
  end if;
  return null;
end $$;
create trigger note_stored_bytes after insert on builds
  referencing new table as new_rows for each statement execute function note_stored_bytes();
create trigger note_removed_bytes after delete on builds
  referencing old table as old_rows for each statement execute function note_stored_bytes();

create function note_changed_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_usage (application_id, bytes)
  values (new.application_id, new.size_total_bytes + new.metadata_total_bytes
    - old.size_total_bytes - old.metadata_total_bytes);
  return null;
end $$;
create trigger note_changed_bytes after update of size_total_bytes, metadata_total_bytes on builds for each row
  when (new.size_total_bytes + new.metadata_total_bytes <> old.size_total_bytes + old.metadata_total_bytes)
  execute function note_changed_bytes();

create or replace function forget_counts() returns trigger language plpgsql as $$
begin
  delete from build_changes where application_id in (select id from old_rows);
  delete from build_counts where application_id in (select id from old_rows);
  delete from storage_usage where application_id in (select id from old_rows);
  return null;
end $$;

insert into storage_usage (application_id, bytes)
select application_id, sum(size_total_bytes + metadata_total_bytes) from builds group by application_id;
