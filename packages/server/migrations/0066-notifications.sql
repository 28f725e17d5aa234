--------------------------------------------------------------------------------
-- Personal notifications
--------------------------------------------------------------------------------

-- What a person wants to be notified of. Names of streams and labels are compared ignoring case.
create table notification_rules (
  id uuid primary key default gen_random_uuid(),
  workspace_id text not null,
  user_id text not null,
  kind text not null check (kind in ('build', 'build_failed', 'feedback', 'mention', 'release', 'rollout_stopped')),
  -- Null for every application that the person can access.
  application_id text,
  stream text check (stream <> ''),
  platform text,
  label text check (label <> ''),
  own_only boolean not null default false,
  sends_email boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_rules_build_conditions
    check (kind in ('build', 'build_failed', 'feedback') or stream is null and platform is null),
  constraint notification_rules_label_condition check (kind = 'build' or label is null),
  constraint notification_rules_own_condition check (kind in ('build_failed', 'feedback') or not own_only),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index notification_rules_kind on notification_rules (workspace_id, kind);
create index notification_rules_user on notification_rules (workspace_id, user_id, created_at);
create index notification_rules_application on notification_rules (application_id, workspace_id)
  where application_id is not null;
create trigger set_updated_at before update on notification_rules for each row execute function set_updated_at();

-- The rules with which every member starts.
create function insert_default_notification_rules() returns trigger language plpgsql as $$
begin
  insert into notification_rules (workspace_id, user_id, kind, own_only, sends_email)
  select new_rows.workspace_id, new_rows.user_id, rule.kind, rule.own_only, rule.sends_email
  from new_rows cross join (values
    ('mention', false, true), ('build_failed', true, true), ('feedback', true, false)
  ) as rule (kind, own_only, sends_email);
  return null;
end $$;
create trigger insert_default_notification_rules after insert on workspace_members
  referencing new table as new_rows for each statement execute function insert_default_notification_rules();
insert into notification_rules (workspace_id, user_id, kind, own_only, sends_email)
select workspace_id, user_id, rule.kind, rule.own_only, rule.sends_email
from workspace_members cross join (values
  ('mention', false, true), ('build_failed', true, true), ('feedback', true, false)
) as rule (kind, own_only, sends_email);

-- How a person gets notifications outside the inbox. Members without a row have the defaults.
create table notification_settings (
  workspace_id text not null,
  user_id text not null,
  email text not null default 'at_once' check (email in ('at_once', 'daily', 'none')),
  digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
  -- Emails at once wait until this time of day has ended. The time may include midnight.
  quiet_from text check (quiet_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  quiet_to text check (quiet_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  time_zone text not null default 'UTC',
  constraint notification_settings_quiet_hours
    check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null or quiet_from <> quiet_to)),
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);

create table notifications (
  id uuid primary key default gen_random_uuid(),
  workspace_id text not null,
  user_id text not null,
  application_id text not null,
  kind text not null,
  -- The subject: one of these, and null for a kind about the application.
  build_id text references builds on delete cascade,
  release_id text references releases on delete cascade,
  feedback_id text references feedback on delete cascade,
  channel_id text references channels on delete cascade,
  -- The stream and label of the build and the name of the person who mentioned somebody, at the time of the event.
  stream text,
  label text,
  actor_name text,
  -- The time of the event, which is the time of its transaction.
  occurred_at timestamptz not null,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
-- A person gets one notification of a change, even if it matches several rules or is two events, such as a move with a
-- new label.
create unique index notifications_once
  on notifications (workspace_id, user_id, kind, build_id, release_id, feedback_id, channel_id, occurred_at) nulls not distinct;
create unique index notifications_mentions on notifications (workspace_id, user_id, build_id, release_id, feedback_id)
  nulls not distinct where kind = 'mention';
create index notifications_inbox on notifications (workspace_id, user_id, occurred_at, id);
create index notifications_unread on notifications (workspace_id, user_id, occurred_at, id) where read_at is null;
create index notifications_application on notifications (application_id, workspace_id);
create index notifications_build on notifications (build_id) where build_id is not null;
create index notifications_release on notifications (release_id) where release_id is not null;
create index notifications_feedback on notifications (feedback_id) where feedback_id is not null;
create index notifications_channel on notifications (channel_id) where channel_id is not null;
create index notifications_created_at on notifications (created_at);

-- Notifications that wait to be emailed.
create table notification_emails (
  notification_id uuid primary key references notifications on delete cascade
);

-- Event streams report changes of a person's inbox to this person.
alter table changes drop constraint changes_type_check;
alter table changes add constraint changes_type_check check (type in (
  'build', 'release', 'stream', 'label', 'custom_target', 'builds', 'releases', 'application', 'upload', 'feedback',
  'notification'));

create function record_changed_notifications() returns trigger language plpgsql as $$
begin
  perform record_changes('notification', array_agg(workspace_id order by user_id, workspace_id),
    array_agg(user_id order by user_id, workspace_id), array_agg(false))
  from (select distinct workspace_id, user_id from new_rows) as changed;
  return null;
end $$;
create trigger record_inserts after insert on notifications
  referencing new table as new_rows for each statement execute function record_changed_notifications();
create trigger record_updates after update on notifications
  referencing new table as new_rows for each statement execute function record_changed_notifications();
