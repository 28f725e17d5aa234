-- A page is picked from one index alone, whatever it is sorted and filtered by: what filters ask lies in the entries.
drop index builds_by_created_at, builds_by_built_at, builds_by_size, builds_by_version, builds_by_version_short,
  builds_by_stream, builds_by_platform, builds_by_custom_target;
create index builds_by_created_at on builds (application_id, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch) where deleted_at is null;
create index builds_by_built_at on builds (application_id, built_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_size on builds (application_id, size_total_bytes, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_version on builds (application_id, version_sort, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_version_short on builds (application_id, version_major, version_minor, version_patch, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
-- For what is rare in an application: by these its few builds are found, and then sorted.
create index builds_by_stream on builds (application_id, stream_id, created_at, id) where deleted_at is null;
create index builds_by_platform on builds (application_id, platform, created_at, id) where deleted_at is null;
create index builds_by_custom_target on builds (application_id, custom_target_id, created_at, id)
  where deleted_at is null and custom_target_id is not null;
create index builds_by_source on builds (application_id, build_source, created_at, id) where deleted_at is null;
create index builds_by_branch on builds (application_id, scm_branch, created_at, id)
  where deleted_at is null and scm_branch is not null;

-- An index is read alone only where vacuum has been: do not wait for a fifth of a million rows.
alter table builds set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);
alter table build_labels set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);

-- What became of the builds that lists show (+1 came, -1 went) since the counts were last brought up to date: written
-- beside each other, so that writers never wait for a counter.
create table build_changes (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  application_id text not null,
  change smallint not null check (change in (1, -1)),
  build_id text not null,
  stream_id text not null,
  platform text not null,
  custom_target_id uuid,
  build_source text not null,
  scm_branch text,
  label_ids text[] not null,
  version_sort text collate "C" not null,
  version_major integer not null,
  version_minor integer not null,
  version_patch integer not null,
  size_total_bytes bigint not null,
  built_at timestamptz,
  created_at timestamptz not null
);
alter table build_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 2000);
create index build_changes_application on build_changes (application_id);

-- How many builds lists show, by what they are filtered by; `kind` says which columns tell rows apart, the others are
-- null. Together with build_changes exact at every moment.
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
  builds bigint not null,
  -- of kind 'all': how often it was brought up to date
  updates bigint not null default 1
);
alter table build_counts set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create unique index build_counts_key on build_counts (
  application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source
) nulls not distinct;
create index build_counts_zero on build_counts (application_id) where builds = 0 and kind <> 'all';

create function note_builds() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
      scm_branch, label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at,
      created_at)
    select application_id, 1, id, stream_id, platform, custom_target_id, build_source, scm_branch, '{}',
      version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at, created_at
    from new_rows where deleted_at is null;
  else
    insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
      scm_branch, label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at,
      created_at)
    select side.application_id, side.change, side.id, side.stream_id, side.platform, side.custom_target_id,
      side.build_source, side.scm_branch,
      array(select label_id from build_labels where build_id = side.id order by label_id),
      side.version_sort, side.version_major, side.version_minor, side.version_patch, side.size_total_bytes,
      side.built_at, side.created_at
    from old_rows as was join new_rows as is_now using (id)
      cross join lateral (select -1 as change, was.* union all select 1, is_now.*) as side
    where side.deleted_at is null
      and (was.deleted_at is null, was.application_id, was.stream_id, was.platform, was.custom_target_id,
          was.build_source, was.scm_branch, was.version_sort, was.version_major, was.version_minor,
          was.version_patch, was.size_total_bytes, was.built_at, was.created_at)
        is distinct from (is_now.deleted_at is null, is_now.application_id, is_now.stream_id, is_now.platform,
          is_now.custom_target_id, is_now.build_source, is_now.scm_branch, is_now.version_sort, is_now.version_major,
          is_now.version_minor, is_now.version_patch, is_now.size_total_bytes, is_now.built_at, is_now.created_at);
  end if;
  return null;
end $$;
create trigger note_inserted after insert on builds
  referencing new table as new_rows for each statement execute function note_builds();
create trigger note_updated after update on builds
  referencing old table as old_rows new table as new_rows for each statement execute function note_builds();

-- A row at a time and before it goes: afterwards its labels are gone with it. The trash has been noted already.
create function note_deleted_build() returns trigger language plpgsql as $$
begin
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at,
    created_at)
  values (old.application_id, -1, old.id, old.stream_id, old.platform, old.custom_target_id, old.build_source,
    old.scm_branch, array(select label_id from build_labels where build_id = old.id order by label_id),
    old.version_sort, old.version_major, old.version_minor, old.version_patch, old.size_total_bytes, old.built_at,
    old.created_at);
  return old;
end $$;
create trigger note_deleted before delete on builds
  for each row when (old.deleted_at is null) execute function note_deleted_build();

create function note_build_labels() returns trigger language plpgsql as $$
declare
  gone jsonb := '{}';
  come jsonb := '{}';
begin
  if tg_op <> 'INSERT' then
    gone := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from old_rows group by build_id) as each);
  end if;
  if tg_op <> 'DELETE' then
    come := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from new_rows group by build_id) as each);
  end if;
  -- One after the other for each build, also with whoever moves it: both tell of what the other one left.
  perform from builds where id in (select jsonb_object_keys(gone || come)) order by id for no key update;
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at,
    created_at)
  select application_id, side.change, id, stream_id, platform, custom_target_id, build_source, scm_branch,
    side.label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at, created_at
  from builds
    cross join lateral (
      select array(select label_id from build_labels where build_id = builds.id order by label_id) as label_ids
    ) as now
    cross join lateral (
      select array(select label_id from (
        select unnest(now.label_ids) as label_id
        except select jsonb_array_elements_text(come -> builds.id)
        union select jsonb_array_elements_text(gone -> builds.id)) as before order by label_id) as label_ids
    ) as before
    cross join lateral (values (-1, before.label_ids), (1, now.label_ids)) as side (change, label_ids)
  where id in (select jsonb_object_keys(gone || come)) and deleted_at is null and before.label_ids <> now.label_ids;
  return null;
end $$;
create trigger note_inserted after insert on build_labels
  referencing new table as new_rows for each statement execute function note_build_labels();
create trigger note_updated after update on build_labels
  referencing old table as old_rows new table as new_rows for each statement execute function note_build_labels();
create trigger note_deleted after delete on build_labels
  referencing old table as old_rows for each statement execute function note_build_labels();

create function forget_counts() returns trigger language plpgsql as $$
begin
  delete from build_changes where application_id in (select id from old_rows);
  delete from build_counts where application_id in (select id from old_rows);
  return null;
end $$;
create trigger forget_counts after delete on applications
  referencing old table as old_rows for each statement execute function forget_counts();

-- Brings the counts up to date; one caller at a time. Answers how many changes it took in.
create function count_build_changes(most bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  perform pg_advisory_xact_lock(44000010);
  with taken as (
    delete from build_changes where id in (select id from build_changes order by id limit most) returning *
  ), sums as (
    select application_id, part.*, sum(change) as builds
    from taken cross join lateral (
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
  ), counted as (
    insert into build_counts (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id,
      build_source, builds)
    select * from sums where builds <> 0 or kind = 'all'
    on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
      do update set builds = build_counts.builds + excluded.builds, updates = build_counts.updates + 1
  )
  select count(*) into taken from taken;
  delete from build_counts where builds = 0 and kind <> 'all';
  return taken;
end $$;

insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
  scm_branch, label_ids, version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at,
  created_at)
select application_id, 1, id, stream_id, platform, custom_target_id, build_source, scm_branch,
  array(select label_id from build_labels where build_id = builds.id order by label_id),
  version_sort, version_major, version_minor, version_patch, size_total_bytes, built_at, created_at
from builds where deleted_at is null;
select count_build_changes(1000000000);
