-- Builds that entered (+1) and left (-1) the lists since build_counts was last updated. Appended, so that writers never
-- wait for a shared counter. The columns are those that lists can be filtered by.
create table build_changes (
  id bigint generated always as identity primary key,
  application_id text not null,
  change smallint not null check (change in (1, -1)),
  build_id text not null,
  stream_id text not null,
  platform text not null,
  custom_target_id uuid,
  build_source text not null,
  scm_branch text,
  label_ids text[] not null,
  created_at timestamptz not null
);
alter table build_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000);
create index build_changes_application on build_changes (application_id);

-- Numbers of listed builds by filter values. `kind` says which columns are set; the others are null. A count plus the
-- matching build_changes is exact at any time.
create table build_counts (
  id bigint generated always as identity primary key,
  application_id text not null,
  kind text not null check (kind in ('all', 'facets', 'branch', 'label', 'labels', 'day')),
  scm_branch text,
  label_ids text[],
  day date,
  stream_id text,
  platform text,
  custom_target_id uuid,
  build_source text,
  builds bigint not null
);
alter table build_counts set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create unique index build_counts_key on build_counts (
  application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source
) nulls not distinct;
create index build_counts_zero on build_counts (application_id) where builds = 0;

create function record_build_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
      scm_branch, label_ids, created_at)
    select application_id, 1, id, stream_id, platform, custom_target_id, build_source, scm_branch, '{}', created_at
    from new_rows where deleted_at is null;
  else
    insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
      scm_branch, label_ids, created_at)
    select side.application_id, side.change, side.id, side.stream_id, side.platform, side.custom_target_id,
      side.build_source, side.scm_branch,
      array(select label_id from build_labels where build_id = side.id order by label_id), side.created_at
    from old_rows as before join new_rows as after using (id)
      cross join lateral (select -1 as change, before.* union all select 1, after.*) as side
    where side.deleted_at is null
      and (before.deleted_at is null, before.application_id, before.stream_id, before.platform, before.custom_target_id,
          before.build_source, before.scm_branch, before.created_at)
        is distinct from (after.deleted_at is null, after.application_id, after.stream_id, after.platform,
          after.custom_target_id, after.build_source, after.scm_branch, after.created_at);
  end if;
  return null;
end $$;
create trigger record_inserts after insert on builds
  referencing new table as new_rows for each statement execute function record_build_changes();
create trigger record_updates after update on builds
  referencing old table as old_rows new table as new_rows for each statement execute function record_build_changes();

-- Runs for each row before the delete, because the labels of the build are deleted with it. A build in the trash has
-- left the lists already.
create function record_build_deletion() returns trigger language plpgsql as $$
begin
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, created_at)
  values (old.application_id, -1, old.id, old.stream_id, old.platform, old.custom_target_id, old.build_source,
    old.scm_branch, array(select label_id from build_labels where build_id = old.id order by label_id), old.created_at);
  return old;
end $$;
create trigger record_deletes before delete on builds
  for each row when (old.deleted_at is null) execute function record_build_deletion();

-- Deleting a label records no change per build: remove_label_from_totals removes it from the counts.
create function record_build_label_changes() returns trigger language plpgsql as $$
declare
  removed jsonb := '{}';
  added jsonb := '{}';
begin
  if tg_op <> 'INSERT' then
    removed := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from old_rows
      where label_id in (select id from labels) group by build_id) as labels_by_build);
  end if;
  if tg_op <> 'DELETE' then
    added := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from new_rows group by build_id) as labels_by_build);
  end if;
  if removed = '{}' and added = '{}' then
    return null;
  end if;
  -- Locked in order of id, so that concurrent changes to a build, including moves, record each other's result.
  perform from builds where id in (select jsonb_object_keys(removed || added)) order by id for no key update;
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, created_at)
  select application_id, side.change, id, stream_id, platform, custom_target_id, build_source, scm_branch,
    side.label_ids, created_at
  from builds
    cross join lateral (
      select array(select label_id from build_labels where build_id = builds.id order by label_id) as label_ids
    ) as after
    cross join lateral (
      select array(select label_id from (
        select unnest(after.label_ids) as label_id
        except select jsonb_array_elements_text(added -> builds.id)
        union select jsonb_array_elements_text(removed -> builds.id)) as all_labels order by label_id) as label_ids
    ) as before
    cross join lateral (values (-1, before.label_ids), (1, after.label_ids)) as side (change, label_ids)
  where id in (select jsonb_object_keys(removed || added)) and deleted_at is null
    and before.label_ids <> after.label_ids;
  return null;
end $$;
create trigger record_inserts after insert on build_labels
  referencing new table as new_rows for each statement execute function record_build_label_changes();
create trigger record_updates after update on build_labels
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_build_label_changes();
create trigger record_deletes after delete on build_labels
  referencing old table as old_rows for each statement execute function record_build_label_changes();

-- Removes a deleted label from the counts of label sets; the counts of its builds are added to the set without it.
create function remove_label_from_totals() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(44000010);
  update build_changes set label_ids = array_remove(label_ids, old.id) where old.id = any(label_ids);
  with removed as (
    delete from build_counts where old.id = any(label_ids) returning *
  )
  insert into build_counts (application_id, kind, label_ids, builds)
  select application_id, kind, array_remove(label_ids, old.id), sum(builds)
  from removed where kind = 'labels' and label_ids <> array[old.id] group by 1, 2, 3
  on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
    do update set builds = build_counts.builds + excluded.builds;
  return null;
end $$;
create trigger remove_label_from_totals after delete on labels for each row execute function remove_label_from_totals();

-- Adds the oldest changes to the counts and returns how many; one caller at a time. A change recorded while its label
-- was being deleted is counted without the label.
create function count_build_changes(max_changes bigint) returns bigint language plpgsql as $$
declare
  counted_changes bigint;
begin
  perform pg_advisory_xact_lock(44000010);
  with changes as (
    delete from build_changes where id in (select id from build_changes order by id limit max_changes) returning *
  ), existing_labels as materialized (
    select id from labels where id in (select unnest(label_ids) from changes)
  ), counted as (
    select application_id, change, stream_id, platform, custom_target_id, build_source, scm_branch, created_at,
      array(
        select id from unnest(label_ids) as id where id in (select id from existing_labels) order by id
      ) as label_ids
    from changes
  ), sums as (
    select application_id, part.*, sum(change) as builds
    from counted cross join lateral (
      select 'all' as kind, null::text as scm_branch, null::text[] as label_ids, null::date as day,
        null::text as stream_id, null::text as platform, null::uuid as custom_target_id, null::text as build_source
      union all select 'facets', null, null, null, stream_id, platform, custom_target_id, build_source
      union all select 'branch', scm_branch, null, null, stream_id, platform, custom_target_id, build_source
        where scm_branch is not null
      union all select 'label', null, array[label_id], null, stream_id, platform, custom_target_id, build_source
        from unnest(label_ids) as label_id
      union all select 'labels', null, label_ids, null, null, null, null, null where label_ids <> '{}'
      union all select 'day', null, null, (created_at at time zone 'UTC')::date, null, null, null, null
    ) as part
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  ), updated_counts as (
    insert into build_counts (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id,
      build_source, builds)
    select * from sums where builds <> 0
    on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
      do update set builds = build_counts.builds + excluded.builds
  )
  select count(*) into counted_changes from counted;
  delete from build_counts where builds = 0;
  return counted_changes;
end $$;

-- Bytes added and removed per application, including builds in the trash; the sum is exact at any time. Appended like
-- build_changes, and compacted by a job.
create table storage_usage (
  id bigint generated always as identity primary key,
  application_id text not null,
  bytes bigint not null
);
alter table storage_usage set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index storage_usage_application on storage_usage (application_id) include (bytes);

create function record_storage_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_usage (application_id, bytes)
    select application_id, sum(size_total_bytes + metadata_total_bytes) from new_rows group by application_id;
  else
    -- Deleting an application deletes its usage rows first, so its builds record nothing.
    insert into storage_usage (application_id, bytes)
    select application_id, -sum(size_total_bytes + metadata_total_bytes) from old_rows
    where application_id in (select id from applications) group by application_id;
  end if;
  return null;
end $$;
create trigger record_added_bytes after insert on builds
  referencing new table as new_rows for each statement execute function record_storage_usage();
create trigger record_removed_bytes after delete on builds
  referencing old table as old_rows for each statement execute function record_storage_usage();

create function record_changed_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_usage (application_id, bytes)
  values (new.application_id, new.size_total_bytes + new.metadata_total_bytes
    - old.size_total_bytes - old.metadata_total_bytes);
  return null;
end $$;
create trigger record_changed_bytes after update of size_total_bytes, metadata_total_bytes on builds for each row
  when (new.size_total_bytes + new.metadata_total_bytes <> old.size_total_bytes + old.metadata_total_bytes)
  execute function record_changed_bytes();

create function delete_application_totals() returns trigger language plpgsql as $$
begin
  delete from build_changes where application_id in (select id from old_rows);
  delete from build_counts where application_id in (select id from old_rows);
  delete from storage_usage where application_id in (select id from old_rows);
  return null;
end $$;
create trigger delete_application_totals after delete on applications
  referencing old table as old_rows for each statement execute function delete_application_totals();

-- The text that a search for builds matches in addition to file names. U+0001 separates the fields.
create function build_search_text(
  id text, major integer, minor integer, patch integer, extra text, meta text, number text, notes text, branch text,
  sha text
) returns text language sql immutable parallel safe
return id || E'\x01' || major::text || '.' || minor::text || '.' || patch::text || coalesce('-' || extra, '') || coalesce('+' || meta, '')
  || E'\x01' || coalesce(number, '') || E'\x01' || coalesce(notes, '')
  || E'\x01' || coalesce(branch, '') || E'\x01' || coalesce(sha, '');

-- Both extensions ship with PostgreSQL and are trusted. Where the role may not create them, search works unindexed.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index builds_by_text on builds using gin (application_id, build_search_text(
    id, version_major, version_minor, version_patch, version_extra, version_meta, build_number, notes, scm_branch,
    scm_commit_sha) gin_trgm_ops) where deleted_at is null;
  create index files_by_name on files using gin (filename gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'no index for the search of builds: %', sqlerrm;
end $$;
