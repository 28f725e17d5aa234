-- A deleted stream whose builds are on their way to another one: nobody finds it any more, its name is free, and its
-- builds are shown in the other one, until each has moved. `moved_by` is whom the audit log names for it.
alter table streams
  add column moving_to text,
  add column moved_by jsonb,
  add foreign key (moving_to, application_id) references streams (id, application_id),
  add check (moving_to <> id),
  add check ((moving_to is null) = (moved_by is null));
drop index streams_name;
create unique index streams_name on streams (application_id, lower(name)) where moving_to is null;
create index streams_moving on streams (moving_to) where moving_to is not null;

-- A stream that goes asks which uploads name it: from now on those alone that are not builds yet.
create index pending_uploads_stream on pending_uploads (stream_id) where stream_id is not null;
