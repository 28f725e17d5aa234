-- The text that a search for builds matches, in lowercase: the searched columns and the file names. It is null until a
-- job has computed it, so that an upload does not have to wait and existing builds are added without blocking writes.
create table build_texts (
  build_id text primary key,
  application_id text not null,
  text text
);
alter table build_texts set (autovacuum_vacuum_scale_factor = 0.02);

create function build_text(searched_id text) returns text language sql stable parallel safe
return (
  select lower(build_search_text(id, version_major, version_minor, version_patch, version_extra, version_meta,
      build_number, notes, scm_branch, scm_commit_sha)
    || coalesce((select string_agg(E'\x01' || filename, '') from files where build_id = builds.id), ''))
  from builds where id = searched_id);

-- Returns every sequence of three characters in the text, the shorter sequences at its end, and the application. A
-- search for one or two characters matches the start of a sequence, and a longer one matches all of its sequences.
create function text_parts(application_id text, text text) returns tsvector language sql immutable parallel safe
cost 10000
return array_to_tsvector(array(select substr(text, n, 3) from generate_series(1, length(text)) as n)
  || (E'\x01' || application_id));

create function text_query(application_id text, search text) returns tsquery language sql immutable parallel safe
return (
  select string_agg('''' || replace(replace(part, '\', '\\'), '''', '''''') || ''''
    || case when length(part) < 3 then ':*' else '' end, ' & ')::tsquery
  from (
    select substr(search, n, 3) as part from generate_series(1, greatest(length(search) - 2, 1)) as n
    union all select E'\x01' || application_id) as parts);

create index build_texts_by_part on build_texts using gin (text_parts(application_id, text)) where text is not null;
-- Computing the parts of a sample would take most of the time of ANALYZE, and no plan depends on them.
alter index build_texts_by_part alter column 1 set statistics 0;

create function add_build_texts() returns trigger language plpgsql as $$
begin
  insert into build_texts (build_id, application_id) select id, application_id from new_rows;
  return null;
end $$;
create trigger add_build_texts after insert on builds
  referencing new table as new_rows for each statement execute function add_build_texts();

-- Clears the text of builds that have changed. The row is locked even if its text is null, because the job may have
-- read the build before this change.
create function clear_build_texts(build_ids text[]) returns void language plpgsql as $$
begin
  perform from build_texts where build_id = any(build_ids) order by build_id for update;
  update build_texts set text = null where build_id = any(build_ids) and text is not null;
end $$;

create function clear_text_of_build() returns trigger language plpgsql as $$
begin
  perform clear_build_texts(array[new.id]);
  return null;
end $$;
create trigger clear_text_of_build after update of version_major, version_minor, version_patch, version_extra,
    version_meta, build_number, notes, scm_branch, scm_commit_sha on builds
  for each row when (
    (old.version_major, old.version_minor, old.version_patch, old.version_extra, old.version_meta, old.build_number,
      old.notes, old.scm_branch, old.scm_commit_sha)
    is distinct from (new.version_major, new.version_minor, new.version_patch, new.version_extra, new.version_meta,
      new.build_number, new.notes, new.scm_branch, new.scm_commit_sha))
  execute function clear_text_of_build();

create function clear_text_of_file() returns trigger language plpgsql as $$
begin
  perform clear_build_texts(array[coalesce(new.build_id, old.build_id)]);
  return null;
end $$;
create trigger clear_text_of_added_file after insert or delete on files
  for each row execute function clear_text_of_file();
create trigger clear_text_of_renamed_file after update of filename on files
  for each row when (old.filename <> new.filename) execute function clear_text_of_file();

-- Computes up to `max_texts` missing texts and returns their number. The second statement has a newer snapshot than the
-- locks of the first one, so that it reads every change that was made before.
create function fill_build_texts(max_texts bigint) returns bigint language plpgsql as $$
declare
  ids text[];
begin
  select array_agg(build_id) into ids
  from (select build_id from build_texts where text is null limit max_texts for update skip locked) as missing;
  update build_texts set text = build_text(build_id) where build_id = any(ids);
  return coalesce(cardinality(ids), 0);
end $$;

-- Indexing and checking all rows at once is faster than for each row.
insert into build_texts (build_id, application_id) select id, application_id from builds;
alter table build_texts add foreign key (build_id) references builds on delete cascade;
create index build_texts_missing on build_texts (application_id, build_id) where text is null;

drop index if exists builds_by_words, files_by_words;
