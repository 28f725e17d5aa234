-- The first answer to an Idempotency-Key, given again for 24 hours.
create table idempotency_keys (
  caller_id text not null,
  key text not null check (length(key) between 1 and 255),
  request_sha256 bytea not null check (length(request_sha256) = 32),
  status integer,
  body text,
  created_at timestamptz not null default now(),
  primary key (caller_id, key),
  check ((status is null) = (body is null))
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table mails (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  recipient text not null check (position('@' in recipient) > 1),
  subject text not null,
  text_body text not null,
  html_body text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null))
);
create index mails_outbox on mails (workspace_id, created_at, id);
