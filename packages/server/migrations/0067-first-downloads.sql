--------------------------------------------------------------------------------
-- The time until a build is downloaded
--------------------------------------------------------------------------------

-- Finds the first download of a build by a person without reading those of programs, of which there may be millions.
create index downloads_by_people on downloads (build_id, created_at)
  where channel in ('console', 'share-link', 'distribution-group', 'portal') and metadata_artifact_id is null;
