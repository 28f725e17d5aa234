-- The applications to which an invitation to the workspace adds a member, as objects with `application_id` and `role`. There is no
-- foreign key, because an invitation outlives an application that is deleted before it is accepted.
alter table invitations add column application_roles jsonb not null default '[]';
alter table invitations add constraint invitations_application_roles_check check (
  case
    when jsonb_typeof(application_roles) <> 'array' then false
    when application_roles = '[]' then true
    else application_id is null and role = 'member'
  end
);
