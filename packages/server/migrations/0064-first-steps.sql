--------------------------------------------------------------------------------
-- The first steps of a workspace
--------------------------------------------------------------------------------

-- What the server created to show how an application with builds looks. It counts in no step.
alter table applications add column is_sample boolean not null default false;
create index applications_sample on applications (workspace_id) where is_sample;

-- What a person hid from their pages.
create table first_step_choices (
  workspace_id text not null,
  user_id text not null,
  hides_steps boolean not null default false,
  hides_phone_card boolean not null default false,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
