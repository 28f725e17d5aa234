-- What the service reads from the files of each build, such as the package metadata, with the version of the code that
-- read it. If the version is lower than the current one, the files are read again.
create table build_readings (
  build_id text not null references builds on delete cascade,
  kind text not null check (kind in ('inspection', 'checksums')),
  -- 0 until the files have been read by a service that records versions.
  version integer not null default 0 check (version >= 0),
  -- The time from which an outdated reading is repeated. A node that repeats it, or fails to, sets a later time.
  due_at timestamptz not null default now(),
  primary key (build_id, kind)
);
create index build_readings_outdated on build_readings (kind, version, due_at, build_id);
-- The files of the newest builds are read first.
insert into build_readings (build_id, kind, due_at)
select id, kind, created_at from builds cross join (values ('inspection'), ('checksums')) as kinds (kind);

-- A trigger, because a node of an earlier version may still insert builds.
create function insert_build_readings() returns trigger language plpgsql as $$
begin
  insert into build_readings (build_id, kind)
  select id, kind from new_rows cross join (values ('inspection'), ('checksums')) as kinds (kind);
  return null;
end $$;
create trigger insert_readings after insert on builds
  referencing new table as new_rows for each statement execute function insert_build_readings();

-- Computed in the background, because a client that sends a file does not wait for them.
alter table files
  add column checksum_sha1 text check (checksum_sha1 ~ '^[0-9a-f]{40}$'),
  add column checksum_sha512 text check (checksum_sha512 ~ '^[0-9a-f]{128}$');
alter table metadata_artifacts
  add column checksum_sha1 text check (checksum_sha1 ~ '^[0-9a-f]{40}$'),
  add column checksum_sha512 text check (checksum_sha512 ~ '^[0-9a-f]{128}$');

-- A file that is added to an existing build, such as a universal APK or a metadata artifact, has to be read too.
create function require_checksums() returns trigger language plpgsql as $$
begin
  update build_readings set version = 0, due_at = now()
  where kind = 'checksums' and build_id in (select build_id from new_rows where checksum_sha512 is null);
  return null;
end $$;
create trigger require_checksums after insert on files
  referencing new table as new_rows for each statement execute function require_checksums();
create trigger require_checksums after insert on metadata_artifacts
  referencing new table as new_rows for each statement execute function require_checksums();
