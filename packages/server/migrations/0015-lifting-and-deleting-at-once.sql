-- Whatever carries a label or is for a custom target repeated who owns it, so that lifting one to the workspace wrote a
-- million rows. Keys now ask for the workspace, which never changes; that it is not of another application, a trigger.
alter table labels add unique (id, workspace_id);
alter table custom_targets add unique (id, workspace_id, platform);

alter table build_labels drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table release_labels drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table webhooks drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table builds drop column custom_target_owner_id,
  add foreign key (custom_target_id, workspace_id, platform)
    references custom_targets (id, workspace_id, platform) on update cascade;
alter table labels drop constraint labels_id_owner_id_key;
alter table custom_targets drop constraint custom_targets_id_owner_id_platform_key;

create function refuse_foreign_label() returns trigger language plpgsql as $$
begin
  if exists (select from labels where id = new.label_id and application_id <> new.application_id) then
    raise exception 'label % is of another application', new.label_id using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger refuse_foreign_label before insert or update of label_id on build_labels
  for each row execute function refuse_foreign_label();
create trigger refuse_foreign_label before insert or update of label_id on release_labels
  for each row execute function refuse_foreign_label();
create trigger refuse_foreign_label before insert or update of label_id on webhooks
  for each row when (new.label_id is not null) execute function refuse_foreign_label();

create function refuse_foreign_target() returns trigger language plpgsql as $$
begin
  if exists (select from custom_targets where id = new.custom_target_id and application_id <> new.application_id) then
    raise exception 'custom target % is of another application', new.custom_target_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger refuse_foreign_target before insert or update of custom_target_id on builds
  for each row when (new.custom_target_id is not null) execute function refuse_foreign_target();

-- As before, but where a label goes as a whole nothing is noted build by build: counts forget the label instead.
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

-- Sums over what carries another label stay the same: a build that also carried this one counts among those without.
create function forget_label() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(44000010);
  update build_changes set label_ids = array_remove(label_ids, old.id) where old.id = any(label_ids);
  with gone as (
    delete from build_counts where old.id = any(label_ids) returning *
  )
  insert into build_counts (application_id, kind, label_ids, builds)
  select application_id, kind, array_remove(label_ids, old.id), sum(builds)
  from gone where kind = 'labels' and label_ids <> array[old.id] group by 1, 2, 3
  on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
    do update set builds = build_counts.builds + excluded.builds;
  return null;
end $$;
create trigger forget_label after delete on labels for each row execute function forget_label();

-- As before, but a change that was noted while its label went no longer names the label.
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
    select * from sums where builds <> 0 or kind = 'all'
    on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
      do update set builds = build_counts.builds + excluded.builds, updates = build_counts.updates + 1
  )
  select count(*) into taken from taken;
  delete from build_counts where builds = 0 and kind <> 'all';
  return taken;
end $$;
