-- What the primary file of any format says about itself: name, version, publisher and the like.
alter table builds add column file_info jsonb;
-- The icon in the primary file.
alter table builds add column icon_object_key text unique references stored_objects;

-- 'waiting' builds are reported as pending. 'queued' builds are of other file types: they are inspected in the
-- background, and nobody waits for the result.
alter table builds drop constraint builds_processing_check;
alter table builds add constraint builds_processing_check
  check (processing in ('none', 'waiting', 'queued', 'done', 'failed'));

-- Finds builds whose inspection was never queued, such as builds from before this version.
create index builds_uninspected on builds (created_at, id) where processing in ('waiting', 'queued');

-- The format that was recognized from the content of a metadata artifact, such as 'junit'.
alter table metadata_artifacts add column format text;
