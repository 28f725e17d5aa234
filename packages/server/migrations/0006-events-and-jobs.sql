-- The outbox: an event is written in the transaction of the change that it reports.
create table events (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  name text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  dispatched_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index events_undispatched on events (created_at, id) where dispatched_at is null;
create index events_dispatched on events (dispatched_at) where dispatched_at is not null;
create index events_by_application on events (application_id, created_at, id);

create table audit_entries (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  -- Text without foreign keys, so that an entry outlives the actor.
  actor_kind text not null check (actor_kind in ('api-key', 'bootstrap-key', 'user', 'system')),
  actor_id text,
  actor_name text not null,
  address inet,
  before jsonb,
  after jsonb,
  created_at timestamptz not null default now()
);
create index audit_entries_by_time on audit_entries (workspace_id, created_at, id);
create index audit_entries_by_subject on audit_entries (workspace_id, subject_type, subject_id, created_at);

create table webhooks (
  id uuid primary key,
  workspace_id text not null,
  application_id text not null,
  description text,
  url text not null check (url ~ '^https?://'),
  event text not null,
  stream_id text,
  label_id text,
  format text not null default 'json' check (format in ('json', 'form')),
  secret_encrypted bytea,
  previous_secret_encrypted bytea,
  previous_secret_until timestamptz,
  is_active boolean not null default true,
  in_error_state boolean not null default false,
  failing_since timestamptz,
  last_successful_request_at timestamptz,
  last_failed_request_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (stream_id, application_id) references streams (id, application_id) on delete cascade,
  foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade
);
create index webhooks_by_application on webhooks (application_id, created_at, id);
create trigger reject_foreign_label before insert or update of label_id on webhooks
  for each row when (new.label_id is not null) execute function reject_foreign_label();
create trigger set_updated_at before update on webhooks for each row execute function set_updated_at();

create table webhook_requests (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id uuid not null,
  event text not null,
  url text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  next_attempt_at timestamptz,
  delivery_attempts integer not null default 0 check (delivery_attempts >= 0),
  duration_ms double precision,
  request_headers jsonb not null default '{}',
  request_payload jsonb not null,
  response_code integer,
  response_headers jsonb,
  response_payload text,
  created_at timestamptz not null default now(),
  constraint webhook_requests_next_attempt_check check ((state = 'waiting') = (next_attempt_at is not null))
);
create index webhook_requests_by_webhook on webhook_requests (webhook_id, created_at, id);
create index webhook_requests_due on webhook_requests (next_attempt_at) where state = 'waiting';
create index webhook_requests_created_at on webhook_requests (created_at);

-- The first response to an Idempotency-Key, replayed for 24 hours. It may contain a secret that is shown once, such as
-- a new API key, so it is sealed like every secret at rest.
create table idempotency_keys (
  caller_id text not null,
  key text not null check (length(key) between 1 and 255),
  request_sha256 bytea not null check (length(request_sha256) = 32),
  status integer,
  sealed_response bytea,
  created_at timestamptz not null default now(),
  primary key (caller_id, key),
  constraint idempotency_keys_response_check check ((status is null) = (sealed_response is null))
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

create table mails (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  recipient text not null check (position('@' in recipient) > 1),
  subject text not null,
  text_body text not null,
  html_body text,
  -- The parts of the text that only the recipient may see, such as the token of a link.
  secrets text[] not null default '{}',
  -- Whether the email is handed to an SMTP server, so that nobody but the recipient ever sees the secrets.
  is_private boolean not null default true,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  constraint mails_sent_at_check check ((state = 'sent') = (sent_at is not null))
);
create index mails_by_workspace on mails (workspace_id, created_at, id);
create index mails_created_at on mails (created_at);
