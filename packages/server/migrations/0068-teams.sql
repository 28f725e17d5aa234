--------------------------------------------------------------------------------
-- Teams
--------------------------------------------------------------------------------

-- A named set of workspace members that has roles in applications.
create table teams (
  id text primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null check (name <> ''),
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, workspace_id)
);
create unique index teams_name on teams (workspace_id, lower(name));
create trigger set_updated_at before update on teams for each row execute function set_updated_at();

create table team_members (
  team_id text not null,
  workspace_id text not null,
  user_id text not null,
  added_at timestamptz not null default now(),
  primary key (team_id, user_id),
  foreign key (team_id, workspace_id) references teams (id, workspace_id) on delete cascade,
  -- Leaving the workspace ends membership of its teams.
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index team_members_user on team_members (workspace_id, user_id);

create table team_applications (
  team_id text not null,
  workspace_id text not null,
  application_id text not null,
  role text not null check (role in ('admin', 'developer', 'qa', 'readonly')),
  added_at timestamptz not null default now(),
  primary key (team_id, application_id),
  foreign key (team_id, workspace_id) references teams (id, workspace_id) on delete cascade,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create index team_applications_application on team_applications (application_id, workspace_id);

-- The role of each person in each application: the highest that they have as a member of the application, through their
-- teams, or as an owner or admin of the workspace. Every query that asks who can access an application reads this view.
create view effective_application_roles as
select application_id, workspace_id, user_id,
  (array['admin', 'developer', 'qa', 'readonly'])[
    min(array_position(array['admin', 'developer', 'qa', 'readonly'], role))] as role
from (
  select application_id, workspace_id, user_id, role from application_members
  union all
  select t.application_id, t.workspace_id, m.user_id, t.role
  from team_applications t join team_members m on m.team_id = t.team_id
  union all
  select a.id, a.workspace_id, m.user_id, 'admin'
  from applications a join workspace_members m on m.workspace_id = a.workspace_id
  where m.role in ('owner', 'admin')
) as granted
group by application_id, workspace_id, user_id;

-- The teams that a person joins by accepting an invitation to the workspace. There is no foreign key, because an
-- invitation outlives a team that is deleted before it is accepted.
alter table invitations add column team_ids text[] not null default '{}';
-- Whether the inviter could grant the application admin role. Otherwise, the person does not join teams that have it when
-- the invitation is accepted.
alter table invitations add column can_grant_admin boolean not null default false;
alter table invitations add constraint invitations_team_ids_check
  check (team_ids = '{}' or application_id is null and role = 'member');
