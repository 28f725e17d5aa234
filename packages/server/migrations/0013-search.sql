-- What a search of builds looks through beside file names. U+0001 keeps the fields apart.
create function build_search_text(
  major integer, minor integer, patch integer, extra text, meta text, number text, notes text, branch text, sha text
) returns text language sql immutable parallel safe
return major::text || '.' || minor::text || '.' || patch::text || coalesce('-' || extra, '') || coalesce('+' || meta, '')
  || E'\x01' || coalesce(number, '') || E'\x01' || coalesce(notes, '')
  || E'\x01' || coalesce(branch, '') || E'\x01' || coalesce(sha, '');

-- Both extensions come with PostgreSQL and are trusted; where the role may not create them, a search reads everything.
do $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index builds_by_text on builds using gin (application_id, build_search_text(
    version_major, version_minor, version_patch, version_extra, version_meta, build_number, notes, scm_branch,
    scm_commit_sha) gin_trgm_ops) where deleted_at is null;
  create index files_by_name on files using gin (filename gin_trgm_ops);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'a search of builds has no index: %', sqlerrm;
end $$;
