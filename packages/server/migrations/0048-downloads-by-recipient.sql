-- Lists of downloads by application, with filters (docs/decisions/0069).
alter table downloads
  -- A copy of the platform of the build, so that an index can list the downloads for one platform.
  add column platform text not null default '',
  -- Whether a device installed the build instead of saving its file.
  add column is_install boolean not null default false;

update downloads set platform = builds.platform from builds where builds.id = downloads.build_id;
alter table downloads add constraint downloads_platform_check check (platform <> '');

create function set_download_platform() returns trigger language plpgsql as $$
begin
  -- Without a build, the foreign key rejects the row.
  new.platform = coalesce((select platform from builds where id = new.build_id), '?');
  return new;
end $$;
create trigger set_platform before insert on downloads for each row execute function set_download_platform();

create index downloads_platform on downloads (application_id, platform, created_at, id);
create index downloads_channel on downloads (application_id, channel, created_at, id);
create index downloads_email on downloads (application_id, email, created_at, id) where email is not null;
-- For the downloads of a person or portal, and for deletes that clear the reference.
create index downloads_user on downloads (user_id, created_at, id) where user_id is not null;
create index downloads_portal on downloads (portal_id, created_at, id) where portal_id is not null;
create index downloads_by_share_link on downloads (share_link_id, created_at, id) where share_link_id is not null;
create index downloads_by_api_key on downloads (api_key_id, created_at, id) where api_key_id is not null;
drop index downloads_share_link, downloads_api_key;
