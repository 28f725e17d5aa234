-- Visitors of portals register devices.
alter table devices add column portal_id text references portals on delete set null;
alter table devices drop constraint devices_source_check;
alter table devices add constraint devices_source_check
  check (source in ('api', 'console', 'share-link', 'distribution-group', 'portal'));
create index devices_portal on devices (portal_id) where portal_id is not null;

-- The latest build of a stream for a platform, with or without an architecture. A stream has few distinct sets of architectures,
-- so the latest build with each of them is found instead of reading builds until one has the architecture.
create index builds_latest on builds (stream_id, platform, architectures, created_at, id) where deleted_at is null;

create function latest_build_id(in_stream text, on_platform text, with_architecture text) returns text
language sql stable as $$
  with recursive variants (architectures) as (
    (select builds.architectures from builds
      where stream_id = in_stream and platform = on_platform and deleted_at is null
      order by builds.architectures limit 1)
    union all
    select (select builds.architectures from builds
      where stream_id = in_stream and platform = on_platform and deleted_at is null
        and builds.architectures > variants.architectures
      order by builds.architectures limit 1)
    from variants where variants.architectures is not null
  )
  select latest.id from variants cross join lateral (
    select id, created_at from builds
    where stream_id = in_stream and platform = on_platform and deleted_at is null
      and builds.architectures = variants.architectures
    order by builds.created_at desc, builds.id desc limit 1
  ) as latest
  where with_architecture is null or variants.architectures @> array[with_architecture]
  order by latest.created_at desc, latest.id desc limit 1
$$;
