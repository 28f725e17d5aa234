create table applications (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  icon_object_key text references stored_objects,
  custom_store_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (id, workspace_id)
);
create index applications_by_name on applications (workspace_id, name collate name_order, id) where deleted_at is null;
create index applications_in_trash on applications (deleted_at) where deleted_at is not null;
create index applications_icon on applications (icon_object_key) where icon_object_key is not null;

create table application_members (
  application_id text not null,
  workspace_id text not null,
  user_id text not null,
  role text not null check (role in ('admin', 'developer', 'qa', 'readonly')),
  added_at timestamptz not null default now(),
  primary key (application_id, user_id),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  -- Leaving the workspace ends membership of its applications.
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index application_members_user on application_members (workspace_id, user_id);

-- application_id is null in an invitation to the whole workspace.
create table invitations (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  email text not null check (position('@' in email) > 1),
  role text not null check (role in ('owner', 'admin', 'member', 'developer', 'qa', 'readonly')),
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  -- Whether only the recipient of the email knows the token, so that accepting the invitation proves the mailbox.
  is_token_private boolean not null default false,
  invited_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  constraint invitations_role_level_check check (
    case
      when application_id is null then role in ('owner', 'admin', 'member')
      else role in ('admin', 'developer', 'qa', 'readonly')
    end
  )
);
create unique index invitations_open on invitations (workspace_id, coalesce(application_id, ''), lower(email))
  where accepted_at is null and revoked_at is null;

-- Platforms are slugs from the catalog in the code.
create table application_platforms (
  application_id text not null references applications on delete cascade,
  platform text not null,
  attached_at timestamptz not null default now(),
  primary key (application_id, platform)
);
create index application_platforms_platform on application_platforms (platform, application_id);

-- A deleted stream with many builds is hidden and its name is free while a job moves its builds to `moving_to`.
-- `moved_by` is the actor that the audit log names for the deletion.
create table streams (
  id text primary key,
  application_id text not null references applications on delete cascade,
  name text not null check (name <> ''),
  description text,
  retention_days integer check (retention_days > 0),
  is_active boolean not null default true,
  moving_to text,
  moved_by jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (moving_to, application_id) references streams (id, application_id),
  constraint streams_moving_to_other_check check (moving_to <> id),
  constraint streams_moved_by_check check ((moving_to is null) = (moved_by is null)),
  unique (id, application_id)
);
create unique index streams_name on streams (application_id, lower(name)) where moving_to is null;
create index streams_moving on streams (moving_to) where moving_to is not null;

-- Templates, copied into each new application.
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

-- Labels and custom targets belong to the whole workspace where application_id is null. Tables that use them refer to
-- the workspace, which never changes, so that promoting one from its application to the workspace changes one row.
-- A trigger rejects those of another application.
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
  unique (id, workspace_id)
);
create unique index labels_name on labels (owner_id, lower(name));
create index labels_workspace on labels (workspace_id);

create function reject_foreign_label() returns trigger language plpgsql as $$
begin
  if exists (select from labels where id = new.label_id and application_id <> new.application_id) then
    raise exception 'label % belongs to another application', new.label_id using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;

create table custom_targets (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  owner_id text not null generated always as (coalesce(application_id, workspace_id)) stored,
  platform text not null,
  name text not null check (name <> ''),
  description text,
  icon_object_key text references stored_objects,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  unique (id, workspace_id, platform)
);
create unique index custom_targets_name on custom_targets (owner_id, lower(name));
create index custom_targets_workspace on custom_targets (workspace_id);
create index custom_targets_icon on custom_targets (icon_object_key) where icon_object_key is not null;

create function reject_foreign_target() returns trigger language plpgsql as $$
begin
  if exists (select from custom_targets where id = new.custom_target_id and application_id <> new.application_id) then
    raise exception 'custom target % belongs to another application', new.custom_target_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;

-- A key issued in exchange for an OIDC token names the trusted publishers that matched the token and holds the SHA-256
-- of the token's signed part.
create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  kind text not null check (kind in ('workspace', 'application')),
  name text not null check (name <> ''),
  prefix text not null check (length(prefix) = 8),
  key_sha256 bytea not null unique check (length(key_sha256) = 32),
  scopes text[] not null,
  trusted_publisher_ids uuid[] check (cardinality(trusted_publisher_ids) > 0),
  token_sha256 bytea check (length(token_sha256) = 32),
  created_by text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  -- The earliest expiry of those trusted publishers. It limits the share links of the key, which itself lasts minutes.
  publishers_expire_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_application_check check ((kind = 'application') = (application_id is not null)),
  constraint api_keys_token_exchange_check check (
    (token_sha256 is null) = (trusted_publisher_ids is null)
    and (token_sha256 is null or (kind = 'application' and expires_at is not null))
  ),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index api_keys_by_owner on api_keys (workspace_id, application_id, created_at, id);
-- For counting the uses of a token, revoking the keys of a deleted publisher and deleting expired keys.
create index api_keys_by_token on api_keys (application_id, token_sha256) where token_sha256 is not null;
create index api_keys_token_expiry on api_keys (expires_at) where token_sha256 is not null;
-- For revoking a key together with the keys that it created.
create index api_keys_by_creator on api_keys (created_by) where created_by is not null;

-- An OIDC token of this issuer whose claims match is exchanged for a short-lived API key.
create table trusted_publishers (
  id uuid primary key,
  workspace_id text not null,
  application_id text not null,
  name text not null check (name <> ''),
  issuer text not null check (issuer ~ '^https?://'),
  audience text not null,
  claims jsonb not null check (jsonb_typeof(claims) = 'object' and claims <> '{}'),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_by text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index trusted_publishers_by_creator on trusted_publishers (created_by) where created_by is not null;
create index trusted_publishers_issuer on trusted_publishers (issuer, application_id, id);
create index trusted_publishers_of_application on trusted_publishers (application_id, created_at, id);

create trigger set_updated_at before update on applications for each row execute function set_updated_at();
create trigger set_updated_at before update on streams for each row execute function set_updated_at();
create trigger set_updated_at before update on default_streams for each row execute function set_updated_at();
create trigger set_updated_at before update on labels for each row execute function set_updated_at('owner_id');
create trigger set_updated_at before update on custom_targets for each row execute function set_updated_at('owner_id');
create trigger set_updated_at before update on trusted_publishers for each row execute function set_updated_at();
