-- A channel publishes the builds of a stream, or the releases of an application, to installed copies that update
-- themselves (docs/decisions/0070-channels.md).
create table channels (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  name text not null check (name <> ''),
  -- Null if the channel publishes the releases of the application.
  stream_id text,
  includes_prereleases boolean not null default false,
  formats text[] not null,
  access text not null default 'public' check (access in ('public', 'read_keys')),
  -- Increases with every change to the channel, its read keys and its rollouts, so that every node notices them.
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  constraint channels_stream_id_application_id_fkey
    foreign key (stream_id, application_id) references streams (id, application_id)
);
create unique index channels_name on channels (application_id, lower(name));
create index channels_stream on channels (stream_id) where stream_id is not null;
create trigger set_updated_at before update on channels for each row execute function set_updated_at();

-- A secret with which a customer reads a channel that is not public. Only its hash is stored.
create table channel_read_keys (
  id text primary key,
  channel_id text not null references channels on delete cascade,
  name text not null check (name <> ''),
  prefix text not null,
  key_sha256 bytea not null check (octet_length(key_sha256) = 32),
  -- The group of testers to which clients with this key belong.
  cohort text,
  max_downloads integer check (max_downloads > 0),
  download_count integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- An application that is imported twice has the same keys in both copies.
  unique (channel_id, key_sha256)
);
create index channel_read_keys_channel on channel_read_keys (channel_id, created_at, id);

-- How a channel offers one of its versions. A version without a row is offered to everyone. A row may precede the
-- publication of its version.
create table rollouts (
  channel_id text not null references channels on delete cascade,
  -- As in the `version` of builds and releases.
  version text not null check (version <> ''),
  state text not null default 'active' check (state in ('active', 'paused', 'stopped', 'rolled_back')),
  -- The percentage at the time `changed_at`. It grows evenly to 100 until `complete_at`, if that is set.
  percentage double precision not null default 100 check (percentage between 0 and 100),
  changed_at timestamptz not null default now(),
  complete_at timestamptz,
  cohorts text[] not null default '{}',
  is_critical boolean not null default false,
  is_required boolean not null default false,
  minimum_os jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (channel_id, version),
  constraint rollouts_complete_at_check check (complete_at is null or state = 'active')
);
create trigger set_updated_at before update on rollouts for each row execute function set_updated_at();
