-- Almost all builds are in the other states, for which the lists use the index of their order.
create index builds_by_processing on builds (application_id, processing, created_at, id)
  where processing in ('waiting', 'queued', 'failed') and deleted_at is null;
