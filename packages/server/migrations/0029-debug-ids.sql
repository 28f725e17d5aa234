-- The IDs with which debuggers and symbol servers match executables with their symbols, as read from the primary file of
-- a build or from a metadata artifact. Symbols are looked up by ID and kind.
create table debug_ids (
  row_id uuid primary key,
  build_id text not null references builds on delete cascade,
  -- Null if the ID was read from the primary file.
  artifact_id uuid references metadata_artifacts on delete cascade,
  -- The order in the file.
  position integer not null,
  kind text not null,
  id text not null check (id ~ '^[0-9a-f]{1,128}$'),
  role text not null check (role in ('executable', 'symbols')),
  name text,
  path text,
  architecture text
);
create index debug_ids_by_id on debug_ids (id, kind);
create index debug_ids_of_build on debug_ids (build_id);
create index debug_ids_of_artifact on debug_ids (artifact_id) where artifact_id is not null;

-- What package repositories and installation pages need of a primary file, and what responses do not contain.
create table package_details (
  build_id text primary key references builds on delete cascade,
  -- The fields of a Debian control file in their order, and the header of an RPM package.
  deb_control jsonb,
  rpm_header jsonb,
  -- Keyed hashes of the devices in a provisioning profile (features/builds/device-hash.ts).
  device_hashes text[]
);

-- The version of the code that last read the artifact. 0 stands for never, as for all existing artifacts.
alter table metadata_artifacts add column inspection_version integer not null default 0;
create index metadata_artifacts_by_inspection on metadata_artifacts (inspection_version, created_at, id);
