-- The position in the write-ahead log up to which a replica must have replayed it before it can serve the reads of a
-- caller, so that the caller sees its own writes.
create table read_positions (
  caller_id text primary key,
  position bigint not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
