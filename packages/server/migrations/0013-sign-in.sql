-- Sign-in by better-auth. docs/decisions/0030 lists which of its fields each column holds. Sign-in compares email
-- addresses in lower case.
update users set email = lower(email) where email <> lower(email);
create index users_by_email on users (email);

alter table users
  -- The name that the person chose for the account. Members are shown with the name of their membership.
  add column name text not null default '',
  add column two_factor_enabled boolean not null default false;
update users set name = memberships.name
from (select distinct on (user_id) user_id, name from workspace_members order by user_id, added_at) as memberships
where memberships.user_id = users.id;

-- A session cookie contains the token and a signature, so a copy of this table is not enough to sign in.
create table sessions (
  id uuid primary key,
  token text not null unique,
  user_id text not null references users on delete cascade,
  -- The workspace that the console shows; null means the first one that the person belongs to.
  workspace_id text references workspaces on delete set null,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_workspace on sessions (workspace_id) where workspace_id is not null;
create index sessions_expires_at on sessions (expires_at);

-- How a person signs in: `credential` with the hash of a password, or `sso` with the subject at the identity provider.
create table accounts (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index accounts_user on accounts (user_id);

-- Single-use values with an expiration time: links that are sent by email, and the state of a sign-in in progress.
create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);
create index verifications_expires_at on verifications (expires_at);

create table passkeys (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
create index passkeys_user on passkeys (user_id);

-- The secret of the authenticator app and the recovery codes, both encrypted.
create table two_factors (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
create index two_factors_user on two_factors (user_id);

-- Failed sign-ins. `account` is a hash of the email address, whether or not a user has it. `source` is a network, a
-- device or, if empty, all sources that are not known.
create table sign_in_guesses (
  account bytea not null check (length(account) = 32),
  source text not null,
  guess_count integer not null check (guess_count >= 0),
  ends_at timestamptz not null,
  -- The last sign-in of the account from this source. A known source has a limit of its own.
  signed_in_at timestamptz,
  primary key (account, source)
);
create index sign_in_guesses_ends_at on sign_in_guesses (ends_at);

-- The link with which the first owner sets up the service. At most one exists, and only until there is an owner.
create table setup_links (
  id boolean primary key default true check (id),
  token_sha256 bytea not null check (length(token_sha256) = 32),
  created_at timestamptz not null default now()
);

create trigger set_updated_at before update on sessions for each row execute function set_updated_at();
create trigger set_updated_at before update on accounts for each row execute function set_updated_at();
create trigger set_updated_at before update on verifications for each row execute function set_updated_at();
