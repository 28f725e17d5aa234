-- Bytes that no URL can change any more: which stored segments, in which order, make up the object.
create table stored_objects (
  key text primary key,
  size_bytes bigint not null check (size_bytes >= 0),
  segments jsonb not null check (jsonb_typeof(segments) = 'array'),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index stored_objects_garbage on stored_objects (deleted_at) where deleted_at is not null;

alter table workspaces add foreign key (logo_object_key) references stored_objects;
alter table applications add foreign key (icon_object_key) references stored_objects;
alter table custom_targets add foreign key (icon_object_key) references stored_objects;

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
  -- SemVer precedence as bytes; made by lib/semver.ts
  version_sort text collate "C" not null,
  build_number text,
  platform text not null,
  stream_id text not null,
  custom_target_id uuid,
  custom_target_owner_id text,
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
  -- facts read from the file (ipa, apk, aab); none for other types
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
  foreign key (custom_target_id, custom_target_owner_id, platform)
    references custom_targets (id, owner_id, platform) on update cascade,
  check ((custom_target_id is null) = (custom_target_owner_id is null)),
  check (custom_target_owner_id in (application_id, workspace_id)),
  check (processing_error is null or processing = 'failed'),
  unique (id, application_id),
  unique (id, application_id, workspace_id)
);
-- One index a sort of the list; the id makes pages neither repeat nor skip.
create index builds_by_created_at on builds (application_id, created_at, id) where deleted_at is null;
create index builds_by_built_at on builds (application_id, built_at, id) where deleted_at is null;
create index builds_by_size on builds (application_id, size_total_bytes, id) where deleted_at is null;
create index builds_by_version on builds (application_id, version_sort, id) where deleted_at is null;
create index builds_by_version_short on builds (application_id, version_major, version_minor, version_patch, id)
  where deleted_at is null;
-- Filters: counted and read from the index alone.
create index builds_by_stream on builds (application_id, stream_id, platform, created_at, id) where deleted_at is null;
create index builds_by_platform on builds (application_id, platform, created_at, id) where deleted_at is null;
create index builds_by_custom_target on builds (application_id, custom_target_id, created_at, id)
  where deleted_at is null and custom_target_id is not null;
create index builds_of_stream on builds (stream_id, created_at);
create index builds_in_trash on builds (deleted_at) where deleted_at is not null;

create table build_labels (
  build_id text not null,
  label_id text not null,
  application_id text not null,
  workspace_id text not null,
  label_owner_id text not null,
  primary key (build_id, label_id),
  foreign key (build_id, application_id, workspace_id) references builds (id, application_id, workspace_id)
    on delete cascade,
  foreign key (label_id, label_owner_id) references labels (id, owner_id) on update cascade on delete cascade,
  check (label_owner_id in (application_id, workspace_id))
);
create index build_labels_label on build_labels (label_id, application_id, build_id);

create table files (
  id uuid primary key,
  build_id text not null references builds on delete cascade,
  role text not null check (role in ('primary', 'expansion', 'universal_apk')),
  filename text not null check (octet_length(filename) between 1 and 255),
  size_bytes bigint not null check (size_bytes > 0),
  checksum_md5 text check (checksum_md5 ~ '^[0-9a-f]{32}$'),
  checksum_sha256 text check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  filetype text not null,
  object_key text not null unique references stored_objects,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (build_id, role)
);
create index files_without_checksum on files (created_at) where checksum_sha256 is null;

-- A request to upload, until it is verified, aborted or expired; afterwards its id still leads to what came of it.
create table pending_uploads (
  id uuid primary key,
  kind text not null check (kind in ('build', 'metadata')),
  workspace_id text not null,
  application_id text not null,
  state text not null default 'requested'
    check (state in ('requested', 'verifying', 'verified', 'aborted', 'expired')),
  lease_id uuid,
  lease_expires_at timestamptz,
  -- the validated wish of the client: fields of the build, or the description of the artifact
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
  check ((state = 'verifying') = (lease_id is not null)),
  check ((state = 'verifying') = (lease_expires_at is not null)),
  check ((state = 'verified') = (verified_at is not null)),
  check (kind <> 'build' or (state = 'verified') = (build_id is not null)),
  check (kind <> 'metadata' or (state = 'verified') = (artifact_id is not null)),
  check (kind <> 'metadata' or build_id is not null or for_pending_upload_id is not null),
  check (kind = 'metadata' or for_pending_upload_id is null)
);
-- a build has one origin: a verify that runs twice cannot make a second build
create unique index pending_uploads_build on pending_uploads (build_id) where kind = 'build';
create unique index pending_uploads_artifact on pending_uploads (artifact_id);
create index pending_uploads_expiry on pending_uploads (expires_at) where state in ('requested', 'verifying');
create index pending_uploads_unswept on pending_uploads (id) where state in ('aborted', 'expired') and swept_at is null;

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
  -- what verify picked, kept before the bytes are sealed, so that a crash in between can be finished
  chosen_parts jsonb,
  check ((number_of_parts is null) = (part_size_mb is null)),
  unique (pending_upload_id, role)
);

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

create trigger touch before update on builds for each row execute function touch_updated_at();
create trigger touch before update on files for each row execute function touch_updated_at();
create trigger touch before update on metadata_artifacts for each row execute function touch_updated_at();
