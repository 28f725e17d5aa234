-- The chunks of files, from which clients determine the ranges that they lack (docs/chunk-index.md,
-- docs/decisions/0083-chunk-indexes.md). Files smaller than 1 MiB have no index.
create table chunk_indexes (
  file_id uuid primary key references files on delete cascade,
  -- The index, in the same store as the file.
  object_key text not null unique references stored_objects,
  -- Not a reference, because the row is deleted with the file after the application.
  application_id text not null,
  size_bytes bigint not null check (size_bytes > 0)
);

create function record_chunk_index_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_usage (application_id, bytes) values (new.application_id, new.size_bytes);
  else
    -- Deleting an application deletes its usage rows first, so its indexes record nothing.
    insert into storage_usage (application_id, bytes)
    select old.application_id, -old.size_bytes where old.application_id in (select id from applications);
  end if;
  return null;
end $$;
create trigger record_bytes after insert or delete on chunk_indexes
  for each row execute function record_chunk_index_bytes();

-- 'chunks' stands for the chunk indexes of all files of a build. Only builds with a file that needs one have this row.
alter table build_readings drop constraint build_readings_kind_check;
alter table build_readings add constraint build_readings_kind_check
  check (kind in ('inspection', 'checksums', 'artifacts', 'chunks'));

create function require_chunk_index() returns trigger language plpgsql as $$
begin
  insert into build_readings (build_id, kind)
  select distinct build_id, 'chunks' from new_rows where size_bytes >= 1048576
  on conflict (build_id, kind) do update set version = 0, due_at = now();
  return null;
end $$;
create trigger require_chunk_index after insert on files
  referencing new table as new_rows for each statement execute function require_chunk_index();

insert into build_readings (build_id, kind)
select distinct build_id, 'chunks' from files where size_bytes >= 1048576;
