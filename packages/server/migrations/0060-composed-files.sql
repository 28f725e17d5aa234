-- Files that consist of ranges of other stored files and of new bytes (docs/decisions/0085-upload-the-difference.md).

-- The ranges of the files in `segments` that make up the object, in order: [[index of the segment, offset, size], …].
-- Null if the object is the concatenation of its segments.
alter table stored_objects add column ranges jsonb check (jsonb_typeof(ranges) = 'array');

-- The objects whose files another object or an unfinished upload uses, so that their bytes are kept.
create table stored_object_sources (
  key text references stored_objects on delete cascade,
  pending_upload_file_id uuid references pending_upload_files on delete cascade,
  source_key text not null references stored_objects,
  constraint stored_object_sources_user_check check (num_nonnulls(key, pending_upload_file_id) = 1),
  constraint stored_object_sources_of_object unique (key, source_key),
  constraint stored_object_sources_of_upload unique (pending_upload_file_id, source_key)
);
create index stored_object_sources_source on stored_object_sources (source_key);

-- How verify composes a file. It is kept apart from the file, which is read with each request for a part.
create table upload_compositions (
  pending_upload_file_id uuid primary key references pending_upload_files on delete cascade,
  -- The SHA-256 of the complete file as the client computed it.
  checksum_sha256 text not null check (checksum_sha256 ~ '^[0-9a-f]{64}$'),
  -- The stored files that contain the reused ranges.
  segments jsonb not null check (jsonb_typeof(segments) = 'array'),
  -- Like those of stored objects. The index -1 stands for the bytes that the client sends.
  ranges jsonb not null check (jsonb_typeof(ranges) = 'array')
);

-- The number of bytes that the client sends if the others are taken from stored files.
alter table pending_upload_files add column new_bytes bigint;
alter table pending_upload_files add constraint pending_upload_files_new_bytes_check
  check (new_bytes between 0 and size_bytes);
