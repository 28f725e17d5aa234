-- Uploads, downloads and changes in stored bytes per application and day (UTC). `kind` says which of the nullable columns
-- are set. Triggers append rows, so that writers never wait for a shared counter, and a job adds up the rows with the
-- same values (`is_merged`). The sum of all rows is exact at any time. Builds that are deleted remain counted as uploads
-- and downloads. Downloads are counted by platform and channel and, separately, by version, because all combinations of
-- these would be almost as many rows as downloads.
create table daily_statistics (
  id bigint generated always as identity primary key,
  application_id text not null,
  kind text not null check (kind in ('uploads', 'downloads', 'version_downloads', 'stored_bytes')),
  day date not null,
  platform text,
  version text,
  channel text,
  -- No foreign key, so that the history of a stream outlives it.
  stream_id text,
  amount bigint not null,
  is_merged boolean not null default false,
  constraint daily_statistics_columns_check check (
    (platform is not null) = (kind in ('uploads', 'downloads')) and (version is not null) = (kind = 'version_downloads')
    and (channel is not null) = (kind = 'downloads') and (stream_id is not null) = (kind = 'stored_bytes'))
);
alter table daily_statistics set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000);
-- Reads need this index alone.
create index daily_statistics_by_day on daily_statistics (application_id, kind, day)
  include (platform, version, channel, stream_id, amount);
create unique index daily_statistics_merged on daily_statistics (
  application_id, kind, day, platform, version, channel, stream_id) nulls not distinct where is_merged;
create index daily_statistics_unmerged on daily_statistics (id) where not is_merged;

create function utc_day(at timestamptz) returns date language sql immutable parallel safe
return (at at time zone 'UTC')::date;

create function build_version(major integer, minor integer, patch integer, extra text, meta text) returns text
language sql immutable parallel safe
return major::text || '.' || minor::text || '.' || patch::text || coalesce('-' || extra, '') || coalesce('+' || meta, '');

create function record_build_statistics() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into daily_statistics (application_id, kind, day, platform, amount)
    select application_id, 'uploads', utc_day(created_at), platform, count(*) from new_rows group by 1, 2, 3, 4;
    insert into daily_statistics (application_id, kind, day, stream_id, amount)
    select application_id, 'stored_bytes', utc_day(created_at), stream_id, sum(size_total_bytes + metadata_total_bytes)
    from new_rows group by 1, 2, 3, 4;
  else
    -- Deleting an application deletes its statistics, so its builds record nothing.
    insert into daily_statistics (application_id, kind, day, stream_id, amount)
    select application_id, 'stored_bytes', utc_day(now()), stream_id, -sum(size_total_bytes + metadata_total_bytes)
    from old_rows where application_id in (select id from applications) group by 1, 2, 3, 4;
  end if;
  return null;
end $$;
create trigger record_statistics_of_inserts after insert on builds
  referencing new table as new_rows for each statement execute function record_build_statistics();
create trigger record_statistics_of_deletes after delete on builds
  referencing old table as old_rows for each statement execute function record_build_statistics();

create function record_moved_bytes() returns trigger language plpgsql as $$
begin
  insert into daily_statistics (application_id, kind, day, stream_id, amount)
  select old.application_id, 'stored_bytes', utc_day(now()), stream_id, sum(bytes)
  from (values (old.stream_id, -old.size_total_bytes - old.metadata_total_bytes),
    (new.stream_id, new.size_total_bytes + new.metadata_total_bytes)) as side (stream_id, bytes)
  group by stream_id having sum(bytes) <> 0;
  return null;
end $$;
create trigger record_moved_bytes after update of stream_id, size_total_bytes, metadata_total_bytes on builds for each row
  when ((new.stream_id, new.size_total_bytes + new.metadata_total_bytes)
    is distinct from (old.stream_id, old.size_total_bytes + old.metadata_total_bytes))
  execute function record_moved_bytes();

-- The service never changes the time of an upload or download, but data that is imported from elsewhere may be dated
-- afterwards.
create function record_redated_build() returns trigger language plpgsql as $$
begin
  insert into daily_statistics (application_id, kind, day, platform, amount)
  values (new.application_id, 'uploads', utc_day(old.created_at), old.platform, -1),
    (new.application_id, 'uploads', utc_day(new.created_at), new.platform, 1);
  insert into daily_statistics (application_id, kind, day, stream_id, amount)
  select new.application_id, 'stored_bytes', side.day, new.stream_id,
    side.sign * (new.size_total_bytes + new.metadata_total_bytes)
  from (values (utc_day(old.created_at), -1), (utc_day(new.created_at), 1)) as side (day, sign);
  return null;
end $$;
create trigger record_redated_build after update of created_at on builds for each row
  when (utc_day(new.created_at) <> utc_day(old.created_at)) execute function record_redated_build();

-- A download of a metadata artifact is not a download of the build.
create function record_download_statistics() returns trigger language plpgsql as $$
begin
  insert into daily_statistics (application_id, kind, day, platform, version, channel, amount)
  select new_rows.application_id, part.kind, utc_day(new_rows.created_at), part.platform, part.version, part.channel,
    count(*)
  from new_rows join builds on builds.id = new_rows.build_id
    cross join lateral (values
      ('downloads', builds.platform, null, new_rows.channel),
      ('version_downloads', null,
        build_version(version_major, version_minor, version_patch, version_extra, version_meta), null)
    ) as part (kind, platform, version, channel)
  where new_rows.metadata_artifact_id is null
  group by 1, 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger record_statistics after insert on downloads
  referencing new table as new_rows for each statement execute function record_download_statistics();

create function record_redated_download() returns trigger language plpgsql as $$
begin
  insert into daily_statistics (application_id, kind, day, platform, version, channel, amount)
  select new.application_id, part.kind, side.day, part.platform, part.version, part.channel, side.amount
  from builds
    cross join (values (utc_day(old.created_at), -1), (utc_day(new.created_at), 1)) as side (day, amount)
    cross join lateral (values
      ('downloads', builds.platform, null, new.channel),
      ('version_downloads', null,
        build_version(version_major, version_minor, version_patch, version_extra, version_meta), null)
    ) as part (kind, platform, version, channel)
  where builds.id = new.build_id;
  return null;
end $$;
create trigger record_redated_download after update of created_at on downloads for each row
  when (new.metadata_artifact_id is null and utc_day(new.created_at) <> utc_day(old.created_at))
  execute function record_redated_download();

create function delete_application_statistics() returns trigger language plpgsql as $$
begin
  delete from daily_statistics where application_id in (select id from old_rows);
  return null;
end $$;
create trigger delete_application_statistics after delete on applications
  referencing old table as old_rows for each statement execute function delete_application_statistics();

-- Builds and downloads before this version are counted if they still exist. Their bytes are counted in their current
-- stream since their upload.
insert into daily_statistics (application_id, kind, day, platform, amount, is_merged)
select application_id, 'uploads', utc_day(created_at), platform, count(*), true from builds group by 1, 2, 3, 4;
insert into daily_statistics (application_id, kind, day, stream_id, amount, is_merged)
select application_id, 'stored_bytes', utc_day(created_at), stream_id, sum(size_total_bytes + metadata_total_bytes), true
from builds group by 1, 2, 3, 4;
insert into daily_statistics (application_id, kind, day, platform, channel, amount, is_merged)
select downloads.application_id, 'downloads', utc_day(downloads.created_at), platform, channel, count(*), true
from downloads join builds on builds.id = downloads.build_id
where metadata_artifact_id is null
group by 1, 2, 3, 4, 5;
insert into daily_statistics (application_id, kind, day, version, amount, is_merged)
select downloads.application_id, 'version_downloads', utc_day(downloads.created_at),
  build_version(version_major, version_minor, version_patch, version_extra, version_meta), count(*), true
from downloads join builds on builds.id = downloads.build_id
where metadata_artifact_id is null
group by 1, 2, 3, 4;

-- These indexes find what needs attention.
create index builds_failed on builds (workspace_id, created_at) where processing = 'failed' and deleted_at is null;
create index webhooks_in_error_state on webhooks (workspace_id) where in_error_state;
create index share_links_expiring on share_links (workspace_id, expires_at) where is_active and expires_at is not null;
create index mails_failed on mails (workspace_id, created_at) where state = 'failed';
