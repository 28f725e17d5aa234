-- The metadata that all formats of primary files have in common, such as the name, the version and the publisher.
alter table builds add column file_info jsonb;
-- The icon that was extracted from the primary file.
alter table builds add column icon_object_key text unique references stored_objects;

-- Builds of mobile applications are 'waiting', which the API reports as `pending_processing`. Builds of other file types
-- are 'queued', because clients do not wait for their inspection.
alter table builds drop constraint builds_processing_check;
alter table builds add constraint builds_processing_check
  check (processing in ('none', 'waiting', 'queued', 'done', 'failed'));

-- Finds builds whose inspection job was lost or never queued, such as mobile builds uploaded before this version.
create index builds_uninspected on builds (created_at, id) where processing in ('waiting', 'queued');

-- The format of the metadata artifact, such as 'junit', as recognized from its content.
alter table metadata_artifacts add column format text;
