--------------------------------------------------------------------------------
-- Patches of files
--------------------------------------------------------------------------------

-- Patches that change the file of an earlier build to that of a later one (docs/decisions/0092-offered-patches.md). They
-- can be created again, so storage usage and exports do not contain them.
create table file_patches (
  file_id uuid not null references files on delete cascade,
  source_file_id uuid not null references files on delete cascade,
  -- The patch, in the same store as the file; null while it is created, and if it was given up.
  object_key text unique references stored_objects,
  size_bytes bigint check (size_bytes > 0),
  checksum_sha256 text check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  -- How often its creation was started, so that a file that no process survives is given up.
  attempts integer not null default 1 check (attempts >= 0),
  -- Why there is no patch.
  failure text,
  created_at timestamptz not null default now(),
  primary key (file_id, source_file_id),
  check (num_nulls(object_key, size_bytes, checksum_sha256) in (0, 3))
);
create index file_patches_source on file_patches (source_file_id);
create index file_patches_created on file_patches (created_at);
