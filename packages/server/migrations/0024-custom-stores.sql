-- An S3-compatible store of an application outside the storage of the service. New uploads go to the current store of an
-- application with custom_store_enabled. Other stores are kept until no object is in them, also if their application is
-- purged. A store never changes its location, because the keys of its objects name the store.
create table custom_stores (
  id text primary key check (id ~ '^[a-z0-9]{10}$'),
  application_id text references applications on delete set null,
  is_current boolean not null default true,
  -- Null for AWS.
  endpoint text,
  region text not null check (region <> ''),
  bucket text not null check (bucket <> ''),
  -- Empty, or a path with a trailing slash.
  prefix text not null,
  force_path_style boolean not null,
  acl text check (acl in ('private', 'bucket-owner-full-control')),
  credentials_encrypted bytea not null,
  tested_at timestamptz not null default now(),
  -- When the store stopped being the current one.
  replaced_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint custom_stores_replaced_check check (is_current = (replaced_at is null))
);
create unique index custom_stores_current on custom_stores (application_id) where is_current;
create unique index custom_stores_location on custom_stores (coalesce(endpoint, ''), bucket, prefix);
create index custom_stores_application on custom_stores (application_id);
create trigger set_updated_at before update on custom_stores for each row execute function set_updated_at();

-- The key of an object in a custom store is <store ID>/<UUID>.
alter table stored_objects add column store_id text references custom_stores;
alter table stored_objects add constraint stored_objects_store_check
  check (store_id is not distinct from nullif(split_part(key, '/', 1), key));
create index stored_objects_store on stored_objects (store_id, key) where store_id is not null;
alter table pending_upload_files add column store_id text references custom_stores;
alter table pending_upload_files add constraint pending_upload_files_store_check
  check (store_id is not distinct from nullif(split_part(object_key, '/', 1), object_key));
create index pending_upload_files_store on pending_upload_files (store_id) where store_id is not null;

-- The part of `bytes` that is in custom stores.
alter table storage_usage add column self_hosted_bytes bigint not null default 0;
drop index storage_usage_application;
create index storage_usage_application on storage_usage (application_id) include (bytes, self_hosted_bytes);

create function record_self_hosted_bytes() returns trigger language plpgsql as $$
declare
  object stored_objects := case when tg_op = 'DELETE' then old else new end;
  is_added boolean := tg_op <> 'DELETE' and new.deleted_at is null;
begin
  insert into storage_usage (application_id, bytes, self_hosted_bytes)
  select application_id, 0, case when is_added then object.size_bytes else -object.size_bytes end
  from custom_stores where id = object.store_id and application_id is not null;
  return null;
end $$;
create trigger record_added_self_hosted_bytes after insert on stored_objects for each row
  when (new.store_id is not null and new.deleted_at is null) execute function record_self_hosted_bytes();
create trigger record_marked_self_hosted_bytes after update of deleted_at on stored_objects for each row
  when (new.store_id is not null and (new.deleted_at is null) <> (old.deleted_at is null))
  execute function record_self_hosted_bytes();
create trigger record_deleted_self_hosted_bytes after delete on stored_objects for each row
  when (old.store_id is not null and old.deleted_at is null) execute function record_self_hosted_bytes();
