-- Architectures and the state of reading metadata are filtered in the index of the order, like the other filters, instead of
-- reading every build. Both columns were in indexes before, so a changed build writes as many index entries as before.
drop index builds_by_created_at, builds_by_built_at, builds_by_built_at_desc, builds_by_size, builds_by_version,
  builds_by_version_short;
create index builds_by_created_at on builds (application_id, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, architectures, processing)
  where deleted_at is null;
create index builds_by_built_at on builds (application_id, built_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at, architectures, processing)
  where deleted_at is null;
create index builds_by_built_at_desc on builds (application_id, built_at desc nulls last, id desc)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at, architectures, processing)
  where deleted_at is null;
create index builds_by_size on builds (application_id, size_total_bytes, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at, architectures, processing)
  where deleted_at is null;
create index builds_by_version on builds (application_id, version_sort, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at, architectures, processing)
  where deleted_at is null;
create index builds_by_version_short on builds (application_id, version_major, version_minor, version_patch, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at, architectures, processing)
  where deleted_at is null;

-- Grouped lists are counted and sorted in these indexes alone, with any of these filters.
drop index builds_by_version_group, builds_by_run_group, builds_by_branch;
create index builds_by_version_group on builds (application_id, version_group, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, architectures, processing)
  where deleted_at is null and version_group is not null;
create index builds_by_run_group on builds (application_id, run_group, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, architectures, processing)
  where deleted_at is null and run_group is not null;
create index builds_by_branch on builds (application_id, scm_branch, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, architectures, processing)
  where deleted_at is null and scm_branch is not null;
