-- Builds of one version, commit and run, usually for several platforms, are one row of a grouped list. A build without a
-- commit and a run is no part of a group, because others with its version can be from any day.
alter table builds
  add column version_group uuid generated always as (
    case when coalesce(scm_commit_sha, ci_run_id, ci_run_url) is not null then md5(
      version_major::text || '.' || version_minor::text || '.' || version_patch::text || coalesce('-' || version_extra, '')
        || coalesce('+' || version_meta, '') || E'\n' || coalesce(scm_commit_sha, '') || E'\n'
        || coalesce(ci_pipeline_name, '') || E'\n' || coalesce(ci_run_id, '') || E'\n' || coalesce(ci_run_url, '')
    )::uuid end) stored,
  add column run_group uuid generated always as (
    case when coalesce(ci_run_id, ci_run_url) is not null then md5(
      coalesce(ci_pipeline_name, '') || E'\n' || coalesce(ci_run_id, '') || E'\n' || coalesce(ci_run_url, '')
    )::uuid end) stored;

create index builds_by_version_group on builds (application_id, version_group, created_at, id)
  where deleted_at is null and version_group is not null;
create index builds_by_run_group on builds (application_id, run_group, created_at, id)
  where deleted_at is null and run_group is not null;

-- The arguments name the generated columns of the table.
create or replace function set_updated_at() returns trigger language plpgsql as $$
begin
  if current_setting('quayside.keeps_updated_at', true) = 'on' then
    return new;
  end if;
  if new is distinct from old
    and (tg_nargs = 0 or (to_jsonb(new) - tg_argv) is distinct from (to_jsonb(old) - tg_argv)) then
    new.updated_at := now();
  end if;
  return new;
end
$$;
drop trigger set_updated_at on builds;
create trigger set_updated_at before update on builds
  for each row execute function set_updated_at('version_group', 'run_group');
