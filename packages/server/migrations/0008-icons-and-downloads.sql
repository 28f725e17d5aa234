-- Which artifact was taken; no reference, so that the record outlives it. file_id null = the links of all files.
alter table downloads add column metadata_artifact_id uuid;

-- What has one is an icon, served to everybody; builds have none and never are.
alter table stored_objects add column icon_type text
  check (icon_type in ('image/png', 'image/jpeg', 'image/webp'));

-- A domain is verified, not a portal: another one starts anew.
alter table portals add check (custom_domain is not null or custom_domain_verified_at is null);
