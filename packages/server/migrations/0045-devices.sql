-- Devices of testers, which a team adds to its provisioning profiles.
create table devices (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The identifier in the spelling of Apple (features/devices/udid.ts). It is needed in full to add the device to a profile.
  udid text not null check (udid ~ '^([0-9a-f]{40}|[0-9A-F]{8}-[0-9A-F]{16})$'),
  name text not null check (name <> ''),
  platform text not null check (platform in ('ios', 'macos', 'tvos', 'visionos', 'watchos')),
  product text,
  os_version text,
  source text not null check (source in ('api', 'console', 'share-link', 'distribution-group')),
  share_link_id text references share_links on delete set null,
  distribution_group_id text references distribution_groups on delete set null,
  email text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index devices_udid on devices (workspace_id, udid);
create index devices_workspace on devices (workspace_id, created_at, id);
create index devices_share_link on devices (share_link_id) where share_link_id is not null;
create index devices_distribution_group on devices (distribution_group_id) where distribution_group_id is not null;
create trigger set_updated_at before update on devices for each row execute function set_updated_at();

-- The registrations that devices have completed, by the ID in their challenge. Each can be completed once.
create table device_registrations (
  id uuid primary key,
  completed_at timestamptz not null default now()
);
create index device_registrations_completed on device_registrations (completed_at);

-- For the builds that a device can install.
create index package_details_devices on package_details using gin (device_hashes) where device_hashes is not null;
