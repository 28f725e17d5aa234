-- Totals are asked by filters alone, so what builds are sorted by is not noted: an edit of a version tells nothing.
create or replace function note_builds() returns trigger language plpgsql as $$
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
    from old_rows as was join new_rows as is_now using (id)
      cross join lateral (select -1 as change, was.* union all select 1, is_now.*) as side
    where side.deleted_at is null
      and (was.deleted_at is null, was.application_id, was.stream_id, was.platform, was.custom_target_id,
          was.build_source, was.scm_branch, was.created_at)
        is distinct from (is_now.deleted_at is null, is_now.application_id, is_now.stream_id, is_now.platform,
          is_now.custom_target_id, is_now.build_source, is_now.scm_branch, is_now.created_at);
  end if;
  return null;
end $$;

create or replace function note_deleted_build() returns trigger language plpgsql as $$
begin
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, created_at)
  values (old.application_id, -1, old.id, old.stream_id, old.platform, old.custom_target_id, old.build_source,
    old.scm_branch, array(select label_id from build_labels where build_id = old.id order by label_id), old.created_at);
  return old;
end $$;

-- Where a label goes as a whole nothing is noted build by build: counts forget the label instead (forget_label).
create or replace function note_build_labels() returns trigger language plpgsql as $$
declare
  gone jsonb := '{}';
  come jsonb := '{}';
begin
  if tg_op <> 'INSERT' then
    gone := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from old_rows
      where label_id in (select id from labels) group by build_id) as each);
  end if;
  if tg_op <> 'DELETE' then
    come := (select coalesce(jsonb_object_agg(build_id, ids), '{}') from (
      select build_id, jsonb_agg(label_id) as ids from new_rows group by build_id) as each);
  end if;
  if gone = '{}' and come = '{}' then
    return null;
  end if;
  -- One after the other for each build, also with whoever moves it: both tell of what the other one left.
  perform from builds where id in (select jsonb_object_keys(gone || come)) order by id for no key update;
  insert into build_changes (application_id, change, build_id, stream_id, platform, custom_target_id, build_source,
    scm_branch, label_ids, created_at)
  select application_id, side.change, id, stream_id, platform, custom_target_id, build_source, scm_branch,
    side.label_ids, created_at
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

alter table build_changes drop column xact, drop column version_sort, drop column version_major,
  drop column version_minor, drop column version_patch, drop column size_total_bytes, drop column built_at;
-- how often a count of kind 'all' was brought up to date: nobody asks
alter table build_counts drop column updates;

-- A change that was noted while its label went no longer names the label.
create or replace function count_build_changes(most bigint) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  perform pg_advisory_xact_lock(44000010);
  with gone as (
    delete from build_changes where id in (select id from build_changes order by id limit most) returning *
  ), live as materialized (
    select id from labels where id in (select unnest(label_ids) from gone)
  ), taken as (
    select application_id, change, stream_id, platform, custom_target_id, build_source, scm_branch, created_at,
      array(select id from unnest(label_ids) as id where id in (select id from live) order by id) as label_ids
    from gone
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
    select * from sums where builds <> 0
    on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
      do update set builds = build_counts.builds + excluded.builds
  )
  select count(*) into taken from taken;
  delete from build_counts where builds = 0;
  return taken;
end $$;
drop index build_counts_zero;
create index build_counts_zero on build_counts (application_id) where builds = 0;
