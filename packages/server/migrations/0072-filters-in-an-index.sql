-- Builds are also counted by architecture and by the state of reading metadata in an index alone, instead of reading each of them.
-- Other indexes contain both columns already, so a change of one writes as many index entries as before.
drop index builds_by_created_at;
create index builds_by_created_at on builds (application_id, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, architectures, processing)
  where deleted_at is null;
