-- The outbox: written in the transaction of the change it tells of.
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
create index events_waiting on events (created_at, id) where dispatched_at is null;
create index events_by_application on events (application_id, created_at, id);

create table audit_entries (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  application_id text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  -- kept as text, so that an entry outlives whom it names
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
  label_owner_id text,
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
  foreign key (label_id, label_owner_id) references labels (id, owner_id) on update cascade on delete cascade,
  check ((label_id is null) = (label_owner_id is null)),
  check (label_owner_id in (application_id, workspace_id))
);
create index webhooks_by_application on webhooks (application_id, created_at, id);

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
  check ((state = 'waiting') = (next_attempt_at is not null))
);
create index webhook_requests_log on webhook_requests (webhook_id, created_at, id);
create index webhook_requests_due on webhook_requests (next_attempt_at) where state = 'waiting';

create trigger touch before update on webhooks for each row execute function touch_updated_at();
