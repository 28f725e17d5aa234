-- Adds counts of builds by branch and label. Lists filtered by both had to count the matching builds, which took 500 ms
-- for 190,000 of a million builds. The pending changes are counted first, because the new counts already include them.
select count_build_changes(9223372036854775807);
alter table build_counts drop constraint build_counts_kind_check;
alter table build_counts add constraint build_counts_kind_check
  check (kind in ('all', 'facets', 'branch', 'label', 'branch_label', 'labels', 'day'));

insert into build_counts (application_id, kind, scm_branch, label_ids, stream_id, platform, custom_target_id,
  build_source, builds)
select builds.application_id, 'branch_label', scm_branch, array[label_id], stream_id, platform, custom_target_id,
  build_source, count(*)
from builds join build_labels on build_labels.build_id = builds.id
where deleted_at is null and scm_branch is not null
group by 1, 3, 4, 5, 6, 7, 8;

-- Adds the oldest changes to the counts and returns the number of these changes. Concurrent calls run one at a time. A
-- change that was recorded while its label was being deleted is counted without the label.
create or replace function count_build_changes(max_changes bigint) returns bigint language plpgsql as $$
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
      union all
        select 'branch_label', scm_branch, array[label_id], null, stream_id, platform, custom_target_id, build_source
        from unnest(label_ids) as label_id where scm_branch is not null
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

-- Replaces the separators in versions, branches and file names with letters, because trigrams never span words. A search
-- for "feature/1-1" had to compare all 50,000 branches that start with "feature/1".
create function join_words(words text) returns text language sql immutable parallel safe
return replace(replace(replace(replace(words, '/', 'q'), '-', 'x'), '.', 'z'), '_', 'j');

-- Search works without the indexes if the role could not create the extensions.
do $$
begin
  create index builds_by_words on builds using gin (application_id, join_words(build_search_text(
    id, version_major, version_minor, version_patch, version_extra, version_meta, build_number, notes, scm_branch,
    scm_commit_sha)) gin_trgm_ops) where deleted_at is null;
  create index files_by_words on files using gin (join_words(filename) gin_trgm_ops);
  drop index if exists builds_by_text, files_by_name;
exception when undefined_object then
  raise notice 'no index for the search of builds: %', sqlerrm;
end $$;
