create table releases (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  version_major integer not null check (version_major between 0 and 9999),
  version_minor integer not null check (version_minor between 0 and 9999),
  version_patch integer not null check (version_patch between 0 and 9999),
  version_extra text,
  version_meta text,
  version_sort text collate "C" not null,
  title text not null check (title <> ''),
  notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  unique (id, application_id),
  unique (id, workspace_id),
  unique (id, application_id, workspace_id)
);
create index releases_by_created_at on releases (application_id, created_at, id);
create index releases_by_version on releases (application_id, version_sort, id);
create index releases_by_version_short on releases (application_id, version_major, version_minor, version_patch, id);
create index releases_by_title on releases (application_id, title collate name_order, id);

create table release_builds (
  release_id text not null,
  build_id text not null,
  application_id text not null,
  added_at timestamptz not null default now(),
  primary key (release_id, build_id),
  foreign key (release_id, application_id) references releases (id, application_id) on delete cascade,
  foreign key (build_id, application_id) references builds (id, application_id) on delete cascade
);
create index release_builds_build on release_builds (build_id);
create index release_builds_application on release_builds (application_id, build_id);

create table release_labels (
  release_id text not null,
  label_id text not null,
  application_id text not null,
  workspace_id text not null,
  primary key (release_id, label_id),
  foreign key (release_id, application_id, workspace_id) references releases (id, application_id, workspace_id)
    on delete cascade,
  foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade
);
create index release_labels_label on release_labels (label_id, application_id, release_id);
create trigger reject_foreign_label before insert or update of label_id on release_labels
  for each row execute function reject_foreign_label();

-- The secret part of the URL of a link is derived from its id and the master secret, never stored.
create table share_links (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  build_id text,
  release_id text,
  is_active boolean not null default true,
  password_hash text,
  expires_at timestamptz,
  max_downloads integer check (max_downloads > 0),
  download_count integer not null default 0 check (download_count >= 0),
  created_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (build_id, application_id) references builds (id, application_id) on delete cascade,
  foreign key (release_id, application_id) references releases (id, application_id) on delete cascade,
  constraint share_links_subject_check check (num_nonnulls(build_id, release_id) = 1),
  constraint share_links_download_limit_check check (max_downloads is null or download_count <= max_downloads)
);
create index share_links_build on share_links (build_id, created_at, id) where build_id is not null;
create index share_links_application on share_links (application_id, build_id) where build_id is not null;
create index share_links_release on share_links (release_id, created_at, id) where release_id is not null;

-- Wrong passwords sent to a link: a row per client network, and one without a network for all clients.
create table share_link_guesses (
  share_link_id text not null references share_links on delete cascade,
  network text not null,
  guess_count integer not null check (guess_count >= 0),
  ends_at timestamptz not null,
  -- How often in a row the guesses of all clients were used up.
  pause_count integer not null default 0 check (pause_count >= 0),
  primary key (share_link_id, network)
);
create index share_link_guesses_ends_at on share_link_guesses (ends_at);

create table distribution_groups (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  is_active boolean not null default true,
  type text not null check (type in ('external', 'internal')),
  icon_type text not null default 'none' check (icon_type in ('none', 'emoji', 'fa')),
  icon_emoji_code text,
  icon_set_value text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint distribution_groups_icon_emoji_check check ((icon_emoji_code is not null) = (icon_type = 'emoji')),
  constraint distribution_groups_icon_set_check check ((icon_set_value is not null) = (icon_type = 'fa')),
  unique (id, workspace_id)
);
create unique index distribution_groups_name on distribution_groups (workspace_id, lower(name));

create table distribution_group_members (
  id uuid primary key,
  distribution_group_id text not null references distribution_groups on delete cascade,
  email text not null check (position('@' in email) > 1),
  added_at timestamptz not null default now()
);
create unique index distribution_group_members_email
  on distribution_group_members (distribution_group_id, lower(email));
create index distribution_group_members_added
  on distribution_group_members (distribution_group_id, added_at, id);

create table distribution_group_releases (
  distribution_group_id text not null,
  release_id text not null,
  workspace_id text not null,
  added_at timestamptz not null default now(),
  primary key (distribution_group_id, release_id),
  foreign key (distribution_group_id, workspace_id) references distribution_groups (id, workspace_id)
    on delete cascade,
  foreign key (release_id, workspace_id) references releases (id, workspace_id) on delete cascade
);
create index distribution_group_releases_release on distribution_group_releases (release_id);
create index distribution_group_releases_added
  on distribution_group_releases (distribution_group_id, added_at, release_id);

-- One mail per person and release, however many groups connect them. The personal link in the mail contains this id;
-- the secret part of its URL is derived, never stored.
create table release_notifications (
  id uuid not null,
  release_id text not null references releases on delete cascade,
  email text not null check (email = lower(email)),
  created_at timestamptz not null default now(),
  primary key (release_id, email)
);
create unique index release_notifications_id on release_notifications (id);

create table portals (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  type text not null check (type in ('public', 'private')),
  icon_object_key text references stored_objects,
  subdomain text check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  custom_domain text,
  custom_domain_verified_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Another domain must be verified again.
  constraint portals_verified_domain_check check (custom_domain is not null or custom_domain_verified_at is null),
  unique (id, workspace_id)
);
create unique index portals_subdomain on portals (subdomain);
-- Only a verified domain is taken: anyone can enter a domain, so a claim must not keep its owner out.
create unique index portals_custom_domain on portals (lower(custom_domain)) where custom_domain_verified_at is not null;
create unique index portals_custom_domain_in_workspace on portals (workspace_id, lower(custom_domain));
create index portals_workspace on portals (workspace_id, created_at, id);
create index portals_icon on portals (icon_object_key) where icon_object_key is not null;

create table portal_applications (
  portal_id text not null,
  application_id text not null,
  workspace_id text not null,
  streams_mode text not null default 'none' check (streams_mode in ('all', 'selective', 'none')),
  releases_mode text not null default 'none' check (releases_mode in ('all', 'selective', 'none')),
  primary key (portal_id, application_id),
  foreign key (portal_id, workspace_id) references portals (id, workspace_id) on delete cascade,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index portal_applications_application on portal_applications (application_id);

create table portal_streams (
  portal_id text not null,
  application_id text not null,
  stream_id text not null,
  primary key (portal_id, stream_id),
  foreign key (portal_id, application_id) references portal_applications on delete cascade,
  foreign key (stream_id, application_id) references streams (id, application_id) on delete cascade
);
create index portal_streams_stream on portal_streams (stream_id);

create table portal_releases (
  portal_id text not null,
  application_id text not null,
  release_id text not null,
  published_at timestamptz not null default now(),
  primary key (portal_id, release_id),
  foreign key (portal_id, application_id) references portal_applications on delete cascade,
  foreign key (release_id, application_id) references releases (id, application_id) on delete cascade
);
create index portal_releases_release on portal_releases (release_id);

-- Records who downloaded which file, when and through which channel.
create table downloads (
  id uuid primary key,
  workspace_id text not null,
  application_id text not null,
  build_id text not null,
  -- Null when the links of all files were requested, or an artifact was downloaded.
  file_id uuid references files on delete set null,
  -- No foreign key, so that the record outlives the artifact.
  metadata_artifact_id uuid,
  channel text not null check (channel in ('api', 'console', 'share-link', 'distribution-group', 'portal', 'feed')),
  share_link_id text references share_links on delete set null,
  distribution_group_id text references distribution_groups on delete set null,
  portal_id text references portals on delete set null,
  api_key_id text references api_keys on delete set null,
  user_id text references users on delete set null,
  email text,
  address inet,
  user_agent text,
  created_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (build_id, application_id) references builds (id, application_id) on delete cascade
);
create index downloads_build on downloads (build_id, created_at, id);
create index downloads_application on downloads (application_id, created_at, id);
-- For deletes that clear these references.
create index downloads_file on downloads (file_id) where file_id is not null;
create index downloads_share_link on downloads (share_link_id) where share_link_id is not null;
create index downloads_api_key on downloads (api_key_id) where api_key_id is not null;

create trigger set_updated_at before update on releases for each row execute function set_updated_at();
create trigger set_updated_at before update on share_links for each row execute function set_updated_at();
create trigger set_updated_at before update on distribution_groups for each row execute function set_updated_at();
create trigger set_updated_at before update on portals for each row execute function set_updated_at();
