-- The event stream reads the changes of all applications in commit order. The service also compares these columns in
-- its own code, so their order must not depend on the collation of the database.
create index changes_in_order on changes (position, type collate "C", resource_id collate "C", owner_id collate "C");

-- The position at which the resource was created or restored from the trash; null if that was before this migration.
alter table changes add column listed_position bigint;

-- Streams, labels and custom targets are also recorded when they are created or deleted, and applications whenever they
-- change. These rows do not represent changes to builds or releases, so the changes feed skips them.
alter table changes
  drop constraint changes_type_check,
  drop constraint changes_deleted_at_check,
  add constraint changes_type_check check (
    type in ('build', 'release', 'stream', 'label', 'custom_target', 'builds', 'releases', 'application')),
  add constraint changes_deleted_at_check check (deleted_at is null or resource_ids is null);

create or replace function record_changes(type text, owner_ids text[], ids text[], are_deleted boolean[]) returns void
language plpgsql as $$
declare
  current_position bigint;
begin
  if cardinality(ids) is null or cardinality(ids) = 0 then
    return;
  end if;
  current_position := change_position();
  insert into changes as known (owner_id, type, resource_id, position, deleted_at, listed_position)
  select owner_id, record_changes.type, id, current_position, case when is_deleted then now() end, current_position
  from unnest(owner_ids, ids, are_deleted) as changed (owner_id, id, is_deleted)
  on conflict on constraint changes_pkey do update
    set position = excluded.position, changed_at = excluded.changed_at, deleted_at = excluded.deleted_at,
      listed_position = case when known.deleted_at is not null and excluded.deleted_at is null
        then excluded.listed_position else known.listed_position end
    where (known.position, known.deleted_at) is distinct from (excluded.position, excluded.deleted_at);
end $$;

-- The arguments are the resource type and the name of the column that contains the ID of the owner.
create function record_created_or_deleted() returns trigger language plpgsql as $$
declare
  resource jsonb;
  is_deleted boolean := tg_op = 'DELETE';
  owner text;
begin
  if is_deleted then
    resource := to_jsonb(old);
  else
    resource := to_jsonb(new);
    is_deleted := coalesce(resource ->> 'deleted_at', resource ->> 'moving_to') is not null;
  end if;
  owner := resource ->> tg_argv[1];
  -- The changes of a purged application are deleted, so the deletion of its resources is not recorded.
  if tg_op = 'DELETE' and not exists (select from applications where id = owner)
    and not exists (select from workspaces where id = owner) then
    return null;
  end if;
  insert into changes as known (owner_id, type, resource_id, position, deleted_at, listed_position)
  values (owner, tg_argv[0], resource ->> 'id', change_position(), case when is_deleted then now() end, change_position())
  on conflict on constraint changes_pkey do update
    set position = excluded.position, changed_at = excluded.changed_at, deleted_at = excluded.deleted_at,
      listed_position = case when known.deleted_at is not null and excluded.deleted_at is null
        then excluded.listed_position else known.listed_position end
    where known.deleted_at is null or excluded.deleted_at is null;
  return null;
end $$;
create trigger record_created after insert on streams for each row
  execute function record_created_or_deleted('stream', 'application_id');
create trigger record_deleted after delete on streams for each row
  execute function record_created_or_deleted('stream', 'application_id');
-- For clients, a stream is deleted as soon as its builds start to move.
create trigger record_moving after update of moving_to on streams for each row
  when (old.moving_to is distinct from new.moving_to)
  execute function record_created_or_deleted('stream', 'application_id');
create trigger record_created after insert on labels for each row
  execute function record_created_or_deleted('label', 'owner_id');
create trigger record_deleted after delete on labels for each row
  execute function record_created_or_deleted('label', 'owner_id');
create trigger record_created after insert on custom_targets for each row
  execute function record_created_or_deleted('custom_target', 'owner_id');
create trigger record_deleted after delete on custom_targets for each row
  execute function record_created_or_deleted('custom_target', 'owner_id');
create trigger record_created after insert on applications for each row
  execute function record_created_or_deleted('application', 'workspace_id');
create trigger record_changed after update on applications for each row
  when (old.* is distinct from new.*)
  execute function record_created_or_deleted('application', 'workspace_id');

-- Without these rows, the first change of an existing application would be reported as its creation.
insert into changes (owner_id, type, resource_id, position, deleted_at)
select workspace_id, 'application', id, change_position(), case when deleted_at is not null then now() end
from applications;
