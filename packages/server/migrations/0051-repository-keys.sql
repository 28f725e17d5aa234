-- The keys with which a workspace signs the indexes of its package repositories
-- (docs/decisions/0072-package-repositories.md).
create table repository_keys (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{40}$'),
  -- The certificate and the sealed secret key, armored.
  public_key text not null,
  private_key_encrypted bytea not null,
  is_imported boolean not null,
  created_at timestamptz not null default now(),
  -- Null for the current key. Until then, indexes are signed with this key as well.
  retires_at timestamptz
);
create unique index repository_keys_current on repository_keys (workspace_id) where retires_at is null;
create index repository_keys_workspace on repository_keys (workspace_id, created_at);

-- The indexes of package repositories. Each is created and signed by the first node that needs it. The previous ones
-- are kept for hours, because clients read an index and the documents that it names with several requests.
create table repository_indexes (
  id bigint generated always as identity primary key,
  channel_id text not null references channels on delete cascade,
  format text not null,
  -- The cohorts of rollouts for which the index was created; empty for everyone.
  audience text not null,
  -- The SHA-256 of the documents and of the IDs of the keys.
  digest bytea not null check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  superseded_at timestamptz
);
create unique index repository_indexes_current on repository_indexes (channel_id, format, audience)
  where superseded_at is null;
create index repository_indexes_channel on repository_indexes (channel_id, id);

create table repository_documents (
  index_id bigint not null references repository_indexes on delete cascade,
  position integer not null,
  -- The paths below the URL of the format.
  paths text[] not null,
  content_type text not null,
  body bytea not null,
  primary key (index_id, position)
);
-- Most documents are compressed already.
alter table repository_documents alter column body set storage external;
