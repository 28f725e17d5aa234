-- The chunks of files, from which clients determine the ranges that they lack (docs/chunk-index.md,
-- docs/decisions/0083-chunk-indexes.md). Files smaller than 1 MiB have no index.
-- Storage usage does not contain them, because nobody uploaded them.
create table chunk_indexes (
  file_id uuid primary key references files on delete cascade,
  -- The index, in the same store as the file.
  object_key text not null unique references stored_objects,
  size_bytes bigint not null check (size_bytes > 0)
);

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
