--------------------------------------------------------------------------------
-- Groups of the identity provider
--------------------------------------------------------------------------------

-- The group at the identity provider whose members join the team when they sign in.
alter table teams add column sso_group text check (sso_group <> '');
create index teams_sso_group on teams (sso_group) where sso_group is not null;

-- Where a membership comes from. Only those that came from the identity provider end when a sign-in reports other groups.
alter table team_members add column source text not null default 'manual' check (source in ('manual', 'sso', 'scim'));

--------------------------------------------------------------------------------
-- SCIM
--------------------------------------------------------------------------------

-- The token with which the identity provider manages the members and teams of a workspace.
create table scim_tokens (
  workspace_id text primary key references workspaces on delete cascade,
  id uuid not null unique,
  token_sha256 bytea not null unique check (octet_length(token_sha256) = 32),
  prefix text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- The people whom the identity provider manages. A person without a row in workspace_members is deactivated.
create table scim_users (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  user_name text not null check (user_name <> ''),
  external_id text,
  name text not null,
  given_name text,
  family_name text,
  -- Whether the person was not known before. Only then the identity provider manages name and email address.
  is_created boolean not null,
  -- The teams to which the identity provider assigned a deactivated person, who joins them again when activated. There is
  -- no foreign key, because a team may be deleted first.
  held_team_ids text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create unique index scim_users_user_name on scim_users (workspace_id, lower(user_name));
create unique index scim_users_external_id on scim_users (workspace_id, external_id);
create index scim_users_user on scim_users (user_id);
create index scim_users_held_teams on scim_users using gin (held_team_ids);
create trigger set_updated_at before update on scim_users for each row execute function set_updated_at();

-- The ID of the group at the identity provider.
alter table teams add column external_id text;
create unique index teams_external_id on teams (workspace_id, external_id);
