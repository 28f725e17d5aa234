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

-- One row, created by the first start: the installation whose files are in the storage folder, which carries the same
-- id. clock_seen_at is the last time at which the clock was plausible; after a gap, deletion pauses.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null,
  storage_claimed_at timestamptz,
  clock_seen_at timestamptz not null default now(),
  deletion_paused_seconds double precision not null default 0 check (deletion_paused_seconds >= 0),
  created_at timestamptz not null default now()
);

-- Positions in the changes feed are transaction ids plus this offset. A database loaded from a dump starts with low
-- transaction ids; the service then raises the offset (one row), so that positions never go back.
create table change_positions (
  is_only_row boolean primary key default true check (is_only_row),
  transaction_offset bigint not null
);

create function change_position() returns bigint language sql stable
return pg_current_xact_id()::text::bigint + coalesce((select transaction_offset from change_positions), 0);

-- The latest change of each build and release, at the position of the transaction that made it. A row is read once
-- every transaction with a lower position has ended, so readers see changes in an order that never gains a row behind
-- them. A deletion stays as a tombstone for 30 days.
-- Changing a stream, label or custom target changes all of its builds and releases. It is one row (`stream`, `label`,
-- `custom_target`), and reading it lists them. Deleting a label leaves groups of ids (`builds`, `releases`) for the
-- same purpose, because its builds can no longer be found by it.
create table changes (
  -- The application, or the workspace of a shared label or custom target.
  owner_id text not null,
  type text not null check (type in ('build', 'release', 'stream', 'label', 'custom_target', 'builds', 'releases')),
  resource_id text not null,
  position bigint not null,
  changed_at timestamptz not null default now(),
  deleted_at timestamptz,
  resource_ids text[],
  constraint changes_deleted_at_check check (deleted_at is null or type in ('build', 'release')),
  constraint changes_resource_ids_check check ((resource_ids is null) = (type not in ('builds', 'releases'))),
  primary key (owner_id, type, resource_id)
);
create unique index changes_by_position on changes (owner_id, position, type, resource_id);
create index changes_to_drop on changes (changed_at) where deleted_at is not null or type not in ('build', 'release');
alter table changes set (autovacuum_vacuum_scale_factor = 0.02);

-- The position of the last change that was dropped after 30 days. Cursors before it are no longer complete.
create table dropped_changes (
  owner_id text primary key,
  position bigint not null
);

-- Records that these builds or releases changed. The ids must be distinct and sorted, so that concurrent transactions
-- lock rows in the same order.
create function record_changes(type text, owner_ids text[], ids text[], are_deleted boolean[]) returns void
language plpgsql as $$
declare
  current_position bigint;
begin
  if cardinality(ids) is null or cardinality(ids) = 0 then
    return;
  end if;
  current_position := change_position();
  insert into changes as known (owner_id, type, resource_id, position, deleted_at)
  select owner_id, record_changes.type, id, current_position, case when is_deleted then now() end
  from unnest(owner_ids, ids, are_deleted) as changed (owner_id, id, is_deleted)
  on conflict on constraint changes_pkey do update
    set position = excluded.position, changed_at = excluded.changed_at, deleted_at = excluded.deleted_at
    where (known.position, known.deleted_at) is distinct from (excluded.position, excluded.deleted_at);
end $$;

-- A build in the trash, or purged from it, counts as deleted. Releases list only builds outside the trash.
-- Rows of a statement are grouped or looked up by array, never joined: a plan that was cached for a statement of one
-- row would join thousands in quadratic time.
create function record_changed_builds() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform record_changes('build', array_agg(application_id order by id), array_agg(id order by id),
      array_agg(false)) from new_rows where deleted_at is null;
  elsif tg_op = 'UPDATE' then
    perform record_changes('build', array_agg(application_id order by id, application_id),
      array_agg(id order by id, application_id), array_agg(is_deleted order by id, application_id))
    from (
      select application_id, id, coalesce(bool_or(is_trashed) filter (where is_after), true) as is_deleted
      from (
        select application_id, id, deleted_at is not null as is_trashed, false as is_after from old_rows
        union all select application_id, id, deleted_at is not null, true from new_rows
      ) as sides
      group by application_id, id having not bool_and(is_trashed)
    ) as changed;
    perform record_changes('release', array_agg(application_id order by release_id),
      array_agg(release_id order by release_id), array_agg(false))
    from (
      select distinct application_id, release_id from release_builds
      where build_id = any(array(
        select id from (
          select id, deleted_at is null as is_listed from old_rows
          union all select id, deleted_at is null from new_rows
        ) as sides
        group by id having bool_or(is_listed) and not bool_and(is_listed)))
    ) as changed;
  else
    -- Deleting an application deletes its changes instead.
    perform record_changes('build', array_agg(application_id order by id), array_agg(id order by id), array_agg(true))
    from old_rows where deleted_at is null and application_id in (select id from applications);
  end if;
  return null;
end $$;
create trigger record_changed_on_insert after insert on builds
  referencing new table as new_rows for each statement execute function record_changed_builds();
create trigger record_changed_on_update after update on builds
  referencing old table as old_rows new table as new_rows for each statement execute function record_changed_builds();
create trigger record_changed_on_delete after delete on builds
  referencing old table as old_rows for each statement execute function record_changed_builds();

create function record_changed_releases() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform record_changes('release', array_agg(application_id order by id), array_agg(id order by id), array_agg(true))
    from old_rows where application_id in (select id from applications);
  else
    perform record_changes('release', array_agg(application_id order by id), array_agg(id order by id),
      array_agg(false)) from new_rows;
  end if;
  return null;
end $$;
create trigger record_changed_on_insert after insert on releases
  referencing new table as new_rows for each statement execute function record_changed_releases();
create trigger record_changed_on_update after update on releases
  referencing new table as new_rows for each statement execute function record_changed_releases();
create trigger record_changed_on_delete after delete on releases
  referencing old table as old_rows for each statement execute function record_changed_releases();

-- For rows that belong to a build or release.
create function record_changed_build_parts() returns trigger language plpgsql as $$
begin
  perform record_changes('build', array_agg(application_id order by id), array_agg(id order by id), array_agg(false))
  from builds where id = any(array(select build_id from changed_rows)) and deleted_at is null;
  return null;
end $$;
create function record_changed_release_parts() returns trigger language plpgsql as $$
begin
  perform record_changes('release', array_agg(application_id order by id), array_agg(id order by id), array_agg(false))
  from releases where id = any(array(select release_id from changed_rows));
  return null;
end $$;
create trigger record_changed_on_insert after insert on files
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_update after update on files
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_delete after delete on files
  referencing old table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_insert after insert on metadata_artifacts
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_update after update on metadata_artifacts
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_delete after delete on metadata_artifacts
  referencing old table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_insert after insert on build_labels
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_update after update on build_labels
  referencing new table as changed_rows for each statement execute function record_changed_build_parts();
create trigger record_changed_on_insert after insert on release_labels
  referencing new table as changed_rows for each statement execute function record_changed_release_parts();
create trigger record_changed_on_update after update on release_labels
  referencing new table as changed_rows for each statement execute function record_changed_release_parts();
create trigger record_changed_on_insert after insert on release_builds
  referencing new table as changed_rows for each statement execute function record_changed_release_parts();
create trigger record_changed_on_delete after delete on release_builds
  referencing old table as changed_rows for each statement execute function record_changed_release_parts();

-- A deleted label may have been on a million builds, so their ids are recorded a thousand per row.
create function record_removed_labels() returns trigger language plpgsql as $$
declare
  noun text := tg_argv[0];
begin
  execute format('
    select record_changes(%1$L, array_agg(application_id order by id), array_agg(id order by id), array_agg(false))
    from %1$ss
    where id = any(array(select %1$s_id from changed_rows where label_id in (select id from labels))) %2$s',
    noun, case noun when 'build' then 'and deleted_at is null' end);
  execute format('
    insert into changes (owner_id, type, resource_id, position, resource_ids)
    select application_id, %1$L, label_id || '':'' || part, change_position(), array_agg(id)
    from (
      select application_id, label_id, %2$s_id as id,
        (row_number() over (partition by application_id, label_id) - 1) / 1000 as part
      from changed_rows
      where label_id not in (select id from labels) and application_id in (select id from applications)
    ) as removed
    group by application_id, label_id, part', noun || 's', noun);
  return null;
end $$;
create trigger record_changed_on_delete after delete on build_labels
  referencing old table as changed_rows for each statement execute function record_removed_labels('build');
create trigger record_changed_on_delete after delete on release_labels
  referencing old table as changed_rows for each statement execute function record_removed_labels('release');

create function record_changed_reference() returns trigger language plpgsql as $$
begin
  insert into changes (owner_id, type, resource_id, position)
  values (case tg_argv[0] when 'stream' then to_jsonb(new) ->> 'application_id' else to_jsonb(new) ->> 'owner_id' end,
    tg_argv[0], new.id, change_position())
  on conflict (owner_id, type, resource_id) do update
    set position = excluded.position, changed_at = excluded.changed_at;
  return null;
end $$;
-- Moving the builds of a deleted stream changes each of them.
create trigger record_changed after update on streams for each row
  when (old.* is distinct from new.* and old.moving_to is not distinct from new.moving_to)
  execute function record_changed_reference('stream');
create trigger record_changed after update on labels for each row when (old.* is distinct from new.*)
  execute function record_changed_reference('label');
create trigger record_changed after update on custom_targets for each row when (old.* is distinct from new.*)
  execute function record_changed_reference('custom_target');

create function delete_application_changes() returns trigger language plpgsql as $$
begin
  delete from changes where owner_id in (select id from old_rows);
  delete from dropped_changes where owner_id in (select id from old_rows);
  return null;
end $$;
create trigger delete_application_changes after delete on applications
  referencing old table as old_rows for each statement execute function delete_application_changes();
