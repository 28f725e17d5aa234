-- The formats and debug IDs of metadata artifacts are a kind of reading too. Only builds that have had artifacts have this
-- row, with the lowest `inspection_version` of its artifacts.
alter table build_readings drop constraint build_readings_kind_check;
alter table build_readings add constraint build_readings_kind_check
  check (kind in ('inspection', 'checksums', 'artifacts'));

-- Whether the last attempt failed. Such builds are read after all others, so that those whose storage cannot be reached
-- do not delay the others.
alter table build_readings add column has_failed boolean not null default false;
drop index build_readings_outdated;
create index build_readings_outdated on build_readings (kind, has_failed, version, due_at, build_id);

-- A new artifact is left to its job for an hour.
create function require_artifact_reading() returns trigger language plpgsql as $$
begin
  insert into build_readings (build_id, kind, version, due_at)
  select build_id, 'artifacts', min(inspection_version), now() + interval '1 hour' from new_rows group by build_id
  on conflict (build_id, kind) do update set version = excluded.version, due_at = excluded.due_at
    where excluded.version < build_readings.version;
  return null;
end $$;
create trigger require_artifact_reading after insert on metadata_artifacts
  referencing new table as new_rows for each statement execute function require_artifact_reading();
insert into build_readings (build_id, kind, version, due_at)
select build_id, 'artifacts', min(inspection_version), max(created_at) from metadata_artifacts group by build_id;
drop index metadata_artifacts_by_inspection;

-- Why the checksums of an artifact cannot be computed, as for files.
alter table metadata_artifacts add column checksum_error text;
