--------------------------------------------------------------------------------
-- Feedback of testers
--------------------------------------------------------------------------------

alter table share_links add column feedback_enabled boolean not null default false;
alter table distribution_groups add column feedback_enabled boolean not null default false;
alter table portals add column feedback_enabled boolean not null default false;

-- What visitors of install and release pages wrote about a build. Deleted with the build.
create table feedback (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  build_id text not null,
  -- The stream of the build when the feedback was sent.
  stream_id text references streams on delete set null,
  text text not null check (length(text) between 1 and 4000),
  rating smallint check (rating between 1 and 5),
  -- What the visitor typed, or the address to which a personal link was sent.
  email text,
  name text,
  -- As far as the browser reveals them, such as 'Pixel 8' and 'Android 16'.
  device text,
  os text,
  user_agent text,
  channel text not null check (channel in ('share-link', 'distribution-group', 'portal')),
  share_link_id text references share_links on delete set null,
  distribution_group_id text references distribution_groups on delete set null,
  portal_id text references portals on delete set null,
  state text not null default 'open' check (state in ('open', 'closed')),
  closed_at timestamptz,
  -- The ID of an API key or user, without a foreign key, so that the record outlives it.
  closed_by text,
  closed_by_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade,
  foreign key (build_id, application_id) references builds (id, application_id) on delete cascade,
  constraint feedback_closed_at_check check ((state = 'closed') = (closed_at is not null))
);
create index feedback_application on feedback (application_id, created_at, id);
create index feedback_build on feedback (build_id, created_at, id);
-- For deletes that clear these references.
create index feedback_stream on feedback (stream_id) where stream_id is not null;
create index feedback_share_link on feedback (share_link_id) where share_link_id is not null;
create index feedback_distribution_group on feedback (distribution_group_id) where distribution_group_id is not null;
create index feedback_portal on feedback (portal_id) where portal_id is not null;
create trigger set_updated_at before update on feedback for each row execute function set_updated_at();

create table feedback_screenshots (
  id uuid primary key,
  feedback_id text not null references feedback on delete cascade,
  application_id text not null,
  position smallint not null check (position > 0),
  content_type text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  size_bytes bigint not null check (size_bytes > 0),
  object_key text not null unique references stored_objects,
  created_at timestamptz not null default now(),
  unique (feedback_id, position)
);

create function record_screenshot_bytes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into storage_usage (application_id, bytes)
    select application_id, sum(size_bytes) from new_rows group by application_id;
  else
    -- Deleting an application deletes its usage rows first.
    insert into storage_usage (application_id, bytes)
    select application_id, -sum(size_bytes) from old_rows
    where application_id in (select id from applications) group by application_id;
  end if;
  return null;
end $$;
create trigger record_added_bytes after insert on feedback_screenshots
  referencing new table as new_rows for each statement execute function record_screenshot_bytes();
create trigger record_removed_bytes after delete on feedback_screenshots
  referencing old table as old_rows for each statement execute function record_screenshot_bytes();

-- The people who get an email when feedback about an application arrives.
create table feedback_subscriptions (
  application_id text not null references applications on delete cascade,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (application_id, user_id)
);
create index feedback_subscriptions_user on feedback_subscriptions (user_id);

-- The time of the last email about feedback on a build. It limits the number of emails.
create table feedback_notices (
  build_id text primary key references builds on delete cascade,
  sent_at timestamptz not null default now()
);

-- Event streams report feedback. The changes feed skips these rows.
alter table changes drop constraint changes_type_check;
alter table changes add constraint changes_type_check check (type in (
  'build', 'release', 'stream', 'label', 'custom_target', 'builds', 'releases', 'application', 'upload', 'feedback'));

create function record_feedback() returns trigger language plpgsql as $$
declare
  changed feedback := case tg_op when 'DELETE' then old else new end;
begin
  -- The changes of a purged application are deleted, so the deletion of its feedback is not recorded.
  if tg_op = 'DELETE' and not exists (select from applications where id = changed.application_id) then
    return null;
  end if;
  perform record_changes('feedback', array[changed.application_id], array[changed.id], array[tg_op = 'DELETE']);
  return null;
end $$;
create trigger record_created after insert on feedback for each row execute function record_feedback();
create trigger record_changed after update on feedback for each row
  when (old.* is distinct from new.*) execute function record_feedback();
create trigger record_deleted after delete on feedback for each row execute function record_feedback();
