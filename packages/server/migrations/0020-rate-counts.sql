-- Requests that the nodes have counted against rate limits. The table is unlogged, because a crash of the database may
-- reset the counts.
create unlogged table rate_counts (
  -- The name of the limit and what it applies to, such as the ID of an API key or a client network.
  subject text primary key,
  count bigint not null,
  -- The end of the window in which the requests were counted.
  ends_at timestamptz not null
) with (fillfactor = 50);
