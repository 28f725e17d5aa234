-- Files that consist of ranges of other stored files and of new bytes (docs/decisions/0085-upload-the-difference.md).

-- The ranges of the files in `segments` that make up the object, in order: [[index of the segment, offset, size], …].
-- Null if the object is the concatenation of its segments.
alter table stored_objects add column ranges jsonb check (jsonb_typeof(ranges) = 'array');

-- The objects whose files another object or an unfinished upload uses, so that their bytes are kept.
create table stored_object_sources (
  key text references stored_objects on delete cascade,
  pending_upload_file_id uuid references pending_upload_files on delete cascade,
  source_key text not null references stored_objects,
  constraint stored_object_sources_user_check check (num_nonnulls(key, pending_upload_file_id) = 1),
  constraint stored_object_sources_of_object unique (key, source_key),
  constraint stored_object_sources_of_upload unique (pending_upload_file_id, source_key)
);
create index stored_object_sources_source on stored_object_sources (source_key);

-- How verify composes a file. It is kept apart from the file, which is read with each request for a part.
create table upload_compositions (
  pending_upload_file_id uuid primary key references pending_upload_files on delete cascade,
  -- The SHA-256 of the complete file as the client computed it.
  checksum_sha256 text not null check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  -- The stored files that contain the reused ranges.
  segments jsonb not null check (jsonb_typeof(segments) = 'array'),
  -- Like those of stored objects. The index -1 stands for the bytes that the client sends.
  ranges jsonb not null check (jsonb_typeof(ranges) = 'array')
);

-- The number of bytes that the client sends if the others are taken from stored files.
alter table pending_upload_files add column new_bytes bigint;
alter table pending_upload_files add constraint pending_upload_files_new_bytes_check
  check (new_bytes between 0 and size_bytes);

-- How many bytes of the files of a build were taken from earlier builds when it was uploaded.
alter table builds add column reused_bytes bigint not null default 0 check (reused_bytes >= 0);

-- What the storage does not hold because builds share bytes. Set for objects that consist of ranges, and for those that
-- only others use because their own build was deleted.
alter table stored_objects
  -- The application whose usage changes by the bytes.
  add column shared_in text,
  -- By how many bytes the files of the object are smaller than what the application counts for it. Negative if it does not
  -- count the object any more.
  add column shared_bytes bigint not null default 0;
create index stored_objects_shared_in on stored_objects (shared_in) where shared_in is not null;

alter table storage_usage
  -- The part of `bytes` that the storage does not hold.
  add column shared_bytes bigint not null default 0;
create index storage_usage_sums on storage_usage (application_id) include (bytes, self_hosted_bytes, shared_bytes);
drop index storage_usage_application;

create function record_shared_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_usage (application_id, bytes, shared_bytes)
  select id, 0, case when new.shared_in is null or new.deleted_at is not null then 0 else new.shared_bytes end
    - case when old.shared_in is null or old.deleted_at is not null then 0 else old.shared_bytes end
  from applications where id = coalesce(new.shared_in, old.shared_in);
  return null;
end $$;
create trigger record_added_shared_bytes after insert on stored_objects for each row
  when (new.shared_in is not null) execute function record_shared_bytes();
create trigger record_changed_shared_bytes after update of deleted_at, shared_in, shared_bytes on stored_objects for each row
  when (new.shared_in is not null and (new.deleted_at is null, new.shared_in, new.shared_bytes)
    is distinct from (old.deleted_at is null, old.shared_in, old.shared_bytes))
  execute function record_shared_bytes();
create trigger record_deleted_shared_bytes after delete on stored_objects for each row
  when (old.shared_in is not null and old.deleted_at is null) execute function record_shared_bytes();

-- How many bytes of the uploaded builds were sent, and how many were taken from earlier builds.
alter table daily_statistics drop constraint daily_statistics_kind_check;
alter table daily_statistics add constraint daily_statistics_kind_check
  check (kind in ('uploads', 'downloads', 'version_downloads', 'stored_bytes', 'sent_bytes', 'reused_bytes'));

create or replace function record_build_statistics() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into daily_statistics (application_id, kind, day, platform, amount)
    select application_id, 'uploads', utc_day(created_at), platform, count(*) from new_rows group by 1, 2, 3, 4;
    insert into daily_statistics (application_id, kind, day, stream_id, amount)
    select application_id, 'stored_bytes', utc_day(created_at), stream_id, sum(size_total_bytes + metadata_total_bytes)
    from new_rows group by 1, 2, 3, 4;
    insert into daily_statistics (application_id, kind, day, amount)
    select application_id, kind, utc_day(created_at), sum(bytes)
    from new_rows cross join lateral (values ('sent_bytes', size_total_bytes - reused_bytes), ('reused_bytes', reused_bytes))
      as part (kind, bytes)
    group by 1, 2, 3 having sum(bytes) <> 0;
  else
    -- Deleting an application deletes its statistics, so its builds record nothing.
    insert into daily_statistics (application_id, kind, day, stream_id, amount)
    select application_id, 'stored_bytes', utc_day(now()), stream_id, -sum(size_total_bytes + metadata_total_bytes)
    from old_rows where application_id in (select id from applications) group by 1, 2, 3, 4;
  end if;
  return null;
end $$;

create or replace function record_redated_build() returns trigger language plpgsql as $$
begin
  insert into daily_statistics (application_id, kind, day, platform, amount)
  values (new.application_id, 'uploads', utc_day(old.created_at), old.platform, -1),
    (new.application_id, 'uploads', utc_day(new.created_at), new.platform, 1);
  insert into daily_statistics (application_id, kind, day, stream_id, amount)
  select new.application_id, 'stored_bytes', side.day, new.stream_id,
    side.sign * (new.size_total_bytes + new.metadata_total_bytes)
  from (values (utc_day(old.created_at), -1), (utc_day(new.created_at), 1)) as side (day, sign);
  insert into daily_statistics (application_id, kind, day, amount)
  select new.application_id, kind, side.day, side.sign * bytes
  from (values (utc_day(old.created_at), -1), (utc_day(new.created_at), 1)) as side (day, sign)
    cross join (values ('sent_bytes', new.size_total_bytes - new.reused_bytes), ('reused_bytes', new.reused_bytes))
      as part (kind, bytes)
  where bytes <> 0;
  return null;
end $$;

insert into daily_statistics (application_id, kind, day, amount)
select application_id, 'sent_bytes', utc_day(created_at), sum(size_total_bytes) from builds
group by 1, 2, 3 having sum(size_total_bytes) <> 0;
