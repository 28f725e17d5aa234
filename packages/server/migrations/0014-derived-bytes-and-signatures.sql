-- The bytes of the icon and the universal APK that were derived from the primary file. They count as stored bytes of the
-- application, but not in `size_total_bytes`, which is the size of the uploaded files.
alter table builds add column derived_total_bytes bigint not null default 0 check (derived_total_bytes >= 0);

-- Existing builds do not change for users, so they keep `updated_at` and do not reappear in the changes feed.
alter table builds disable trigger user;
update builds set derived_total_bytes = derived.bytes
from (
  select build_id, sum(size_bytes) as bytes
  from (
    select build_id, size_bytes from files where role = 'universal_apk'
    union all
    select builds.id, size_bytes from builds join stored_objects on stored_objects.key = builds.icon_object_key
  ) as parts
  group by build_id
) as derived
where builds.id = derived.build_id;
-- Metadata that was read before signatures were verified has no result of the verification.
update builds set file_info = file_info || '{"signature_status": null}' where file_info is not null;
update builds
set ios_info = ios_info || '{"provisioning_profile_signature": null, "provisioning_profile_signer": null}'
where ios_info is not null;
alter table builds enable trigger user;

insert into storage_usage (application_id, bytes)
select application_id, sum(bytes)
from (
  select application_id, derived_total_bytes as bytes from builds where derived_total_bytes > 0
  union all
  select applications.id, size_bytes from applications join stored_objects on stored_objects.key = icon_object_key
) as added
group by application_id;

create or replace function record_storage_usage() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_usage (application_id, bytes)
    select application_id, sum(size_total_bytes + metadata_total_bytes + derived_total_bytes)
    from new_rows group by application_id;
  else
    -- Deleting an application deletes its usage rows first, so its builds record nothing.
    insert into storage_usage (application_id, bytes)
    select application_id, -sum(size_total_bytes + metadata_total_bytes + derived_total_bytes) from old_rows
    where application_id in (select id from applications) group by application_id;
  end if;
  return null;
end $$;

create or replace function record_changed_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_usage (application_id, bytes)
  values (new.application_id, new.size_total_bytes + new.metadata_total_bytes + new.derived_total_bytes
    - old.size_total_bytes - old.metadata_total_bytes - old.derived_total_bytes);
  return null;
end $$;
drop trigger record_changed_bytes on builds;
create trigger record_changed_bytes after update of size_total_bytes, metadata_total_bytes, derived_total_bytes on builds
  for each row when (new.size_total_bytes + new.metadata_total_bytes + new.derived_total_bytes
    <> old.size_total_bytes + old.metadata_total_bytes + old.derived_total_bytes)
  execute function record_changed_bytes();

create function record_application_icon_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_usage (application_id, bytes)
  select new.id, case when key = new.icon_object_key then size_bytes else -size_bytes end
  from stored_objects where key in (old.icon_object_key, new.icon_object_key);
  return null;
end $$;
create trigger record_application_icon_bytes after update of icon_object_key on applications for each row
  when (new.icon_object_key is distinct from old.icon_object_key)
  execute function record_application_icon_bytes();
