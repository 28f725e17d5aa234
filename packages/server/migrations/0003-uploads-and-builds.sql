create table builds (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  build_structure text not null check (build_structure in ('file', 'file+expansion')),
  version_major integer not null check (version_major between 0 and 9999),
  version_minor integer not null check (version_minor between 0 and 9999),
  version_patch integer not null check (version_patch between 0 and 9999),
  version_extra text,
  version_meta text,
  -- SemVer precedence as bytes, computed by lib/semver.ts.
  version_sort text collate "C" not null,
  build_number text,
  platform text not null,
  stream_id text not null,
  custom_target_id uuid,
  architectures text[] not null default '{}',
  notes text,
  size_total_bytes bigint not null check (size_total_bytes >= 0),
  metadata_total_bytes bigint not null default 0 check (metadata_total_bytes >= 0),
  build_source text not null,
  ci_pipeline_name text,
  ci_pipeline_url text,
  ci_run_id text,
  ci_run_url text,
  ci_build_duration text check (ci_build_duration ~ '^[0-9]{2,}:[0-5][0-9]:[0-5][0-9]$'),
  scm_host_type text,
  scm_host text,
  scm_repo_name text,
  scm_repo_url text,
  scm_branch text,
  scm_commit_sha text,
  scm_commit_url text,
  -- State of reading metadata from the file (ipa, apk, aab); 'none' for other file types.
  processing text not null default 'none' check (processing in ('none', 'waiting', 'done', 'failed')),
  processing_error text,
  ios_info jsonb,
  android_info jsonb,
  keep_forever boolean not null default false,
  built_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (stream_id, application_id) references streams (id, application_id),
  foreign key (custom_target_id, workspace_id, platform)
    references custom_targets (id, workspace_id, platform) on update cascade,
  constraint builds_processing_error_check check (processing_error is null or processing = 'failed'),
  unique (id, application_id),
  unique (id, application_id, workspace_id)
);
create trigger reject_foreign_target before insert or update of custom_target_id on builds
  for each row when (new.custom_target_id is not null) execute function reject_foreign_target();

-- One index per sort order, covering the filters: a page is read from the index alone. The id breaks ties, so that
-- pages neither repeat nor skip a build.
create index builds_by_created_at on builds (application_id, created_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch) where deleted_at is null;
create index builds_by_built_at on builds (application_id, built_at, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_built_at_desc on builds (application_id, built_at desc nulls last, id desc)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_size on builds (application_id, size_total_bytes, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_version on builds (application_id, version_sort, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
create index builds_by_version_short on builds (application_id, version_major, version_minor, version_patch, id)
  include (stream_id, platform, custom_target_id, build_source, scm_branch, created_at) where deleted_at is null;
-- For filter values that are rare in an application: the few matching builds are found here and then sorted.
create index builds_by_stream on builds (application_id, stream_id, created_at, id) where deleted_at is null;
create index builds_by_platform on builds (application_id, platform, created_at, id) where deleted_at is null;
create index builds_by_custom_target on builds (application_id, custom_target_id, created_at, id)
  where deleted_at is null and custom_target_id is not null;
create index builds_by_source on builds (application_id, build_source, created_at, id) where deleted_at is null;
create index builds_by_branch on builds (application_id, scm_branch, created_at, id)
  where deleted_at is null and scm_branch is not null;
-- Retention reads all that it needs from this index alone.
create index builds_of_stream on builds (stream_id, created_at, id)
  include (keep_forever, size_total_bytes, deleted_at);
create index builds_in_trash on builds (deleted_at) where deleted_at is not null;
create index builds_in_trash_of_application on builds (application_id, created_at, id) where deleted_at is not null;
create index builds_kept on builds (application_id, id) where keep_forever;

create table build_labels (
  build_id text not null,
  label_id text not null,
  application_id text not null,
  workspace_id text not null,
  primary key (build_id, label_id),
  foreign key (build_id, application_id, workspace_id) references builds (id, application_id, workspace_id)
    on delete cascade,
  foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade
);
create index build_labels_label on build_labels (label_id, application_id, build_id);
create trigger reject_foreign_label before insert or update of label_id on build_labels
  for each row execute function reject_foreign_label();

-- Index-only scans need a vacuumed table, so vacuum must not wait until a fifth of a million rows has changed.
alter table builds set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);
alter table build_labels set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);

create table files (
  id uuid primary key,
  build_id text not null references builds on delete cascade,
  role text not null check (role in ('primary', 'expansion', 'universal_apk')),
  filename text not null check (octet_length(filename) between 1 and 255),
  size_bytes bigint not null check (size_bytes > 0),
  checksum_md5 text check (checksum_md5 ~ '^[0-9a-f]{32}$'),
  checksum_sha256 text check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  -- Why the checksums could not be computed.
  checksum_error text,
  filetype text not null,
  object_key text not null unique references stored_objects,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (build_id, role)
);
create index files_without_checksum on files (created_at) where checksum_sha256 is null;

create table metadata_artifacts (
  id uuid primary key,
  build_id text not null references builds on delete cascade,
  filename text not null check (octet_length(filename) between 1 and 255),
  description text,
  size_bytes bigint not null check (size_bytes > 0),
  checksum_md5 text check (checksum_md5 ~ '^[0-9a-f]{32}$'),
  checksum_sha256 text check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  metadata_filetype text not null,
  object_key text not null unique references stored_objects,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index metadata_artifacts_build on metadata_artifacts (build_id, created_at, id);

-- An upload from its request until it is verified, aborted or expired. Afterwards its id still leads to the build or artifact.
create table pending_uploads (
  id uuid primary key,
  kind text not null check (kind in ('build', 'metadata')),
  workspace_id text not null,
  application_id text not null,
  state text not null default 'requested'
    check (state in ('requested', 'verifying', 'verified', 'aborted', 'expired')),
  lease_id uuid,
  lease_expires_at timestamptz,
  -- The validated input of the client: the fields of the build, or the description of the artifact.
  draft jsonb not null check (jsonb_typeof(draft) = 'object'),
  stream_id text,
  build_id text,
  for_pending_upload_id uuid references pending_uploads on delete cascade,
  artifact_id uuid,
  api_key_id text references api_keys on delete set null,
  created_at timestamptz not null default now(),
  last_activity_at timestamptz not null default now(),
  expires_at timestamptz not null,
  verified_at timestamptz,
  swept_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (stream_id, application_id) references streams (id, application_id) on delete set null (stream_id),
  foreign key (build_id, application_id) references builds (id, application_id) on delete cascade,
  constraint pending_uploads_lease_check check ((state = 'verifying') = (lease_id is not null)),
  constraint pending_uploads_lease_expiry_check check ((state = 'verifying') = (lease_expires_at is not null)),
  constraint pending_uploads_verified_at_check check ((state = 'verified') = (verified_at is not null)),
  constraint pending_uploads_verified_build_check check (
    kind <> 'build' or (state = 'verified') = (build_id is not null)
  ),
  constraint pending_uploads_verified_artifact_check check (
    kind <> 'metadata' or (state = 'verified') = (artifact_id is not null)
  ),
  constraint pending_uploads_metadata_subject_check check (
    kind <> 'metadata' or build_id is not null or for_pending_upload_id is not null
  ),
  constraint pending_uploads_for_metadata_check check (kind = 'metadata' or for_pending_upload_id is null)
);
-- A build comes from one upload, so that a verify that runs twice cannot create a second build.
create unique index pending_uploads_build on pending_uploads (build_id) where kind = 'build';
create unique index pending_uploads_artifact on pending_uploads (artifact_id);
create index pending_uploads_expiry on pending_uploads (expires_at) where state in ('requested', 'verifying');
create index pending_uploads_unswept on pending_uploads (id) where state in ('aborted', 'expired') and swept_at is null;
create index pending_uploads_swept on pending_uploads (swept_at) where swept_at is not null;
-- For deletes that cascade to uploads or clear a reference in them; without an index each would read the whole table.
create index pending_uploads_of_build on pending_uploads (build_id) where build_id is not null;
create index pending_uploads_for_upload on pending_uploads (for_pending_upload_id)
  where for_pending_upload_id is not null;
create index pending_uploads_api_key on pending_uploads (api_key_id) where api_key_id is not null;
create index pending_uploads_stream on pending_uploads (stream_id) where stream_id is not null;

create table pending_upload_files (
  id uuid primary key,
  pending_upload_id uuid not null references pending_uploads on delete cascade,
  role text not null check (role in ('primary', 'expansion', 'metadata')),
  filename text not null check (octet_length(filename) between 1 and 255),
  size_bytes bigint not null check (size_bytes > 0),
  content_type text not null,
  filetype text not null,
  object_key text not null unique,
  multipart_id text,
  number_of_parts integer check (number_of_parts between 1 and 10000),
  part_size_mb integer check (part_size_mb > 0),
  -- The parts that verify selected, saved before the bytes are sealed so that verify can finish after a crash.
  chosen_parts jsonb,
  constraint pending_upload_files_parts_check check ((number_of_parts is null) = (part_size_mb is null)),
  unique (pending_upload_id, role)
);

create trigger set_updated_at before update on builds for each row execute function set_updated_at();
create trigger set_updated_at before update on files for each row execute function set_updated_at();
create trigger set_updated_at before update on metadata_artifacts for each row execute function set_updated_at();
