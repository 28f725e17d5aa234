--------------------------------------------------------------------------------
-- Access requests
--------------------------------------------------------------------------------

-- A member of the workspace asks for access to an application that they cannot open.
create table access_requests (
  id uuid primary key default gen_random_uuid(),
  workspace_id text not null,
  application_id text not null,
  user_id text not null,
  message text check (message <> ''),
  created_at timestamptz not null default now(),
  -- When the request was approved or declined, or ended in another way. It can be restored for a day.
  closed_at timestamptz,
  -- A person has one request for an application. A closed or expired one is replaced.
  unique (application_id, user_id),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index access_requests_user on access_requests (workspace_id, user_id);
create index access_requests_created_at on access_requests (created_at);
create index access_requests_closed_at on access_requests (closed_at) where closed_at is not null;

-- Closes the requests of people who can open the application now, whichever way they got access.
create function close_granted_access_requests() returns trigger language plpgsql as $$
begin
  update access_requests r set closed_at = now()
  where r.workspace_id in (select workspace_id from new_rows) and r.closed_at is null
    and (select effective.role from effective_application_roles effective
      where effective.application_id = r.application_id and effective.workspace_id = r.workspace_id
        and effective.user_id = r.user_id) is not null;
  return null;
end $$;
create trigger close_access_requests after insert on application_members
  referencing new table as new_rows for each statement execute function close_granted_access_requests();
create trigger close_access_requests after insert on team_members
  referencing new table as new_rows for each statement execute function close_granted_access_requests();
create trigger close_access_requests after insert on team_applications
  referencing new table as new_rows for each statement execute function close_granted_access_requests();
create trigger close_access_requests after update on workspace_members
  referencing new table as new_rows for each statement execute function close_granted_access_requests();

create function close_access_requests_of_deleted() returns trigger language plpgsql as $$
begin
  update access_requests set closed_at = now() where application_id = new.id and closed_at is null;
  return null;
end $$;
create trigger close_access_requests after update of deleted_at on applications
  for each row when (new.deleted_at is not null and old.deleted_at is null)
  execute function close_access_requests_of_deleted();

-- Admins are notified of requests, and people of approvals.
alter table notification_rules drop constraint notification_rules_kind_check;
alter table notification_rules add constraint notification_rules_kind_check check (kind in (
  'access_granted', 'access_request', 'build', 'build_failed', 'feedback', 'mention', 'release', 'rollout_stopped'));

create or replace function insert_default_notification_rules() returns trigger language plpgsql as $$
begin
  insert into notification_rules (workspace_id, user_id, kind, own_only, sends_email)
  select new_rows.workspace_id, new_rows.user_id, rule.kind, rule.own_only, rule.sends_email
  from new_rows cross join (values
    ('mention', false, true), ('build_failed', true, true), ('feedback', true, false),
    ('access_request', false, false), ('access_granted', false, true)
  ) as rule (kind, own_only, sends_email);
  return null;
end $$;
insert into notification_rules (workspace_id, user_id, kind, sends_email)
select workspace_id, user_id, rule.kind, rule.sends_email
from workspace_members cross join (values
  ('access_request', false), ('access_granted', true)
) as rule (kind, sends_email);
