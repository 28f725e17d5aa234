-- Short ids are made by the service: 12 characters for workspaces and applications, 10 for the rest.

create function touch_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create table workspaces (
  id text primary key,
  name text not null check (name <> ''),
  subdomain text check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  logo_object_key text,
  custom_targets_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index workspaces_subdomain on workspaces (subdomain);

create table users (
  id text primary key,
  name text not null,
  email text not null check (position('@' in email) > 1),
  email_verified boolean not null default false,
  profile_photo_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table workspace_members (
  workspace_id text not null references workspaces on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  added_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user on workspace_members (user_id);

create trigger touch before update on workspaces for each row execute function touch_updated_at();
create trigger touch before update on users for each row execute function touch_updated_at();
