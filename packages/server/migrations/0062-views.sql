--------------------------------------------------------------------------------
-- Saved views and pins
--------------------------------------------------------------------------------

create table views (
  id text primary key,
  workspace_id text not null,
  application_id text not null,
  -- The person whose personal view this is; null for a view of the team.
  user_id text references users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  query jsonb not null check (jsonb_typeof(query) = 'object'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted view can be restored for a day.
  deleted_at timestamptz,
  foreign key (application_id, workspace_id) references applications (id, workspace_id) on delete cascade
);
create unique index views_name on views (application_id, user_id, lower(name)) nulls not distinct
  where deleted_at is null;
create index views_application on views (application_id, workspace_id);
create index views_user on views (user_id) where user_id is not null;
create index views_deleted on views (deleted_at) where deleted_at is not null;
create trigger set_updated_at before update on views for each row execute function set_updated_at('deleted_at');

-- The applications and views that a person pinned to the sidebar, in the person's order.
create table pinned_applications (
  user_id text not null references users on delete cascade,
  application_id text not null references applications on delete cascade,
  position integer not null check (position > 0),
  primary key (user_id, application_id)
);
create index pinned_applications_application on pinned_applications (application_id);

create table pinned_views (
  user_id text not null references users on delete cascade,
  view_id text not null references views on delete cascade,
  position integer not null check (position > 0),
  primary key (user_id, view_id)
);
create index pinned_views_view on pinned_views (view_id);
