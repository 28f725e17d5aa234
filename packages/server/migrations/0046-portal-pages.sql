-- Pages of portals: their color, who may open a private one, and how visitors of it prove their email address.

alter table portals
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  -- Email addresses and, with a leading @, whole domains, in lower case.
  add column allowed_visitors text[] not null default '{}';

-- Codes that were requested to open a private portal. A row exists for every request, whether or not the address is
-- allowed, because rows are also counted to limit requests and guesses.
create table portal_codes (
  id uuid primary key,
  portal_id text not null references portals on delete cascade,
  email text not null,
  -- A keyed hash. Codes that are replaced or used are deleted by setting it to null.
  code_hash text,
  -- Only the browser that requested the code can use it.
  browser_hash text not null,
  network text not null,
  guess_count integer not null default 0 check (guess_count >= 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index portal_codes_browser on portal_codes (browser_hash);
create index portal_codes_portal on portal_codes (portal_id, created_at);
create index portal_codes_email on portal_codes (email, created_at);
create index portal_codes_network on portal_codes (network, created_at);
create index portal_codes_created_at on portal_codes (created_at);

-- Visitors who have proven their email address. Access ends when the portal no longer allows the address.
create table portal_sessions (
  token_hash text primary key,
  portal_id text not null references portals on delete cascade,
  email text not null,
  -- The host of the portal at which the session was started; empty at the address of the service.
  host text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index portal_sessions_portal on portal_sessions (portal_id);
create index portal_sessions_expires_at on portal_sessions (expires_at);
