alter table releases
  add column status text not null default 'published',
  -- The time of the latest publication; null if the release has never been published.
  add column published_at timestamptz default now(),
  add column scheduled_for timestamptz,
  add column withdrawn_at timestamptz;

-- To clients, this migration is not a change to the releases, so it must not appear in the changes feed or set
-- `updated_at`.
alter table releases disable trigger user;
update releases set published_at = created_at;
alter table releases enable trigger user;

alter table releases
  add constraint releases_status_check check (status in ('draft', 'scheduled', 'published', 'withdrawn')),
  add constraint releases_published_at_check check (published_at is not null or status <> 'published'),
  add constraint releases_draft_check check (published_at is null or status <> 'draft'),
  add constraint releases_scheduled_for_check check ((scheduled_for is not null) = (status = 'scheduled')),
  add constraint releases_withdrawn_at_check check ((withdrawn_at is not null) = (status = 'withdrawn'));
create index releases_scheduled on releases (scheduled_for, id) where status = 'scheduled';

-- Whether the members of the group are notified when the release is published.
alter table distribution_group_releases add column notify boolean not null default false;
