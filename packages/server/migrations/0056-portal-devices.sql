-- Visitors of portals register devices.
alter table devices add column portal_id text references portals on delete set null;
alter table devices drop constraint devices_source_check;
alter table devices add constraint devices_source_check
  check (source in ('api', 'console', 'share-link', 'distribution-group', 'portal'));
create index devices_portal on devices (portal_id) where portal_id is not null;
