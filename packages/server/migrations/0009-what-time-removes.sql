-- What has had its time is looked up by its age; what retention asks of a build is read from the index alone.
drop index builds_of_stream;
create index builds_of_stream on builds (stream_id, created_at, id)
  include (keep_forever, size_total_bytes, deleted_at);
create index webhook_requests_age on webhook_requests (created_at);
create index mails_age on mails (created_at);
create index events_dispatched on events (dispatched_at) where dispatched_at is not null;
create index pending_uploads_swept on pending_uploads (swept_at) where swept_at is not null;

-- A row that goes takes along what refers to it, or is taken out of it: found without reading whole tables.
create index pending_uploads_of_build on pending_uploads (build_id) where build_id is not null;
create index pending_uploads_for on pending_uploads (for_pending_upload_id) where for_pending_upload_id is not null;
create index downloads_file on downloads (file_id) where file_id is not null;
create index downloads_share_link on downloads (share_link_id) where share_link_id is not null;
create index downloads_api_key on downloads (api_key_id) where api_key_id is not null;

-- Before bytes go, every table that could refer to them is asked.
create index workspaces_logo on workspaces (logo_object_key) where logo_object_key is not null;
create index applications_icon on applications (icon_object_key) where icon_object_key is not null;
create index custom_targets_icon on custom_targets (icon_object_key) where icon_object_key is not null;
create index portals_icon on portals (icon_object_key) where icon_object_key is not null;
