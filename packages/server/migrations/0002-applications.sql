create table applications (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  icon_object_key text,
  custom_store_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (id, workspace_id)
);
create index applications_by_name on applications (workspace_id, lower(name), id) where deleted_at is null;
create index applications_in_trash on applications (deleted_at) where deleted_at is not null;

create table application_members (
  application_id text not null,
  workspace_id text not null,
  user_id text not null,
  role text not null check (role in ('admin', 'developer', 'qa', 'readonly')),
  added_at timestamptz not null default now(),
  primary key (application_id, user_id),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  -- who leaves the workspace leaves its applications
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index application_members_user on application_members (workspace_id, user_id);

-- Invitations name an application where they are for one alone.
create table invitations (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  email text not null check (position('@' in email) > 1),
  role text not null check (role in ('owner', 'admin', 'member', 'developer', 'qa', 'readonly')),
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  invited_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  check (
    case
      when application_id is null then role in ('owner', 'admin', 'member')
      else role in ('admin', 'developer', 'qa', 'readonly')
    end
  )
);
create unique index invitations_open on invitations (workspace_id, coalesce(application_id, ''), lower(email))
  where accepted_at is null and revoked_at is null;

-- The slugs are those of the catalogue in the code.
create table application_platforms (
  application_id text not null references applications on delete cascade,
  platform text not null,
  attached_at timestamptz not null default now(),
  primary key (application_id, platform)
);
create index application_platforms_platform on application_platforms (platform, application_id);

create table streams (
  id text primary key,
  application_id text not null references applications on delete cascade,
  name text not null check (name <> ''),
  description text,
  retention_days integer check (retention_days > 0),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, application_id)
);
create unique index streams_name on streams (application_id, lower(name));

-- Templates: copied into each new application.
create table default_streams (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  retention_days integer check (retention_days > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index default_streams_name on default_streams (workspace_id, lower(name));

-- application_id null = shared by the workspace. owner_id lets a foreign key hold a row to either level.
create table labels (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  owner_id text not null generated always as (coalesce(application_id, workspace_id)) stored,
  name text not null check (name <> ''),
  description text,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  unique (id, owner_id)
);
create unique index labels_name on labels (owner_id, lower(name));
create index labels_workspace on labels (workspace_id);

create table custom_targets (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  owner_id text not null generated always as (coalesce(application_id, workspace_id)) stored,
  platform text not null,
  name text not null check (name <> ''),
  description text,
  icon_object_key text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  unique (id, owner_id, platform)
);
create unique index custom_targets_name on custom_targets (owner_id, lower(name));
create index custom_targets_workspace on custom_targets (workspace_id);

create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  kind text not null check (kind in ('workspace', 'application')),
  name text not null check (name <> ''),
  prefix text not null check (length(prefix) = 8),
  key_sha256 bytea not null unique check (length(key_sha256) = 32),
  scopes text[] not null,
  created_by text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'application') = (application_id is not null)),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index api_keys_by_owner on api_keys (workspace_id, application_id, created_at, id);

-- Trusted publishing: an OIDC token of this issuer whose claims match gets a short-lived key.
create table trusted_publishers (
  id uuid primary key,
  workspace_id text not null,
  application_id text not null,
  name text not null check (name <> ''),
  issuer text not null check (issuer ~ '^https?://'),
  audience text not null,
  claims jsonb not null check (jsonb_typeof(claims) = 'object' and claims <> '{}'),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index trusted_publishers_issuer on trusted_publishers (issuer, application_id);

create trigger touch before update on applications for each row execute function touch_updated_at();
create trigger touch before update on streams for each row execute function touch_updated_at();
create trigger touch before update on default_streams for each row execute function touch_updated_at();
create trigger touch before update on labels for each row execute function touch_updated_at();
create trigger touch before update on custom_targets for each row execute function touch_updated_at();
create trigger touch before update on trusted_publishers for each row execute function touch_updated_at();
