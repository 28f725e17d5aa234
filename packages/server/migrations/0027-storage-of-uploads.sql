-- The storage of the service in which an upload was opened, for `admin migrate-storage`: files can still arrive there after
-- the service has switched to another storage. Null in a custom store and for earlier uploads.
alter table pending_upload_files add column storage_address text;
