-- An import of an export into a workspace. `step` and `position` advance in the transaction that inserts the rows, so an
-- interrupted import resumes without inserting a row twice.
create table imports (
  id uuid primary key,
  workspace_id text not null references workspaces on delete cascade,
  export_id uuid not null,
  -- The new ID of each resource is derived from this key and its previous ID.
  id_key bytea not null check (length(id_key) = 32),
  -- Whether the export replaces the settings of the workspace, because it had no applications when the import started.
  replaces_workspace boolean not null,
  step text,
  position bigint not null default 0 check (position >= 0),
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (workspace_id, export_id)
);

-- The stored files of an unfinished import. The foreign key protects them from the deletion of unreferenced files.
create table import_objects (
  import_id uuid not null references imports on delete cascade,
  source_key text not null,
  object_key text not null references stored_objects,
  primary key (import_id, source_key)
);
create index import_objects_object on import_objects (object_key);

-- An import sets this parameter to keep the times of the rows that it completes.
create or replace function set_updated_at() returns trigger language plpgsql as $$
begin
  if current_setting('quayside.keeps_updated_at', true) = 'on' then
    return new;
  end if;
  if new is distinct from old
    and (tg_nargs = 0 or (to_jsonb(new) - tg_argv[0]) is distinct from (to_jsonb(old) - tg_argv[0])) then
    new.updated_at := now();
  end if;
  return new;
end
$$;
