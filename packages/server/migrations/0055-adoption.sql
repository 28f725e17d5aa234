-- Requests of the feeds of a channel per day, without anything that identifies a client
-- (docs/decisions/0076-adoption-without-identification.md). Nodes add what they have counted in memory.
create table channel_requests (
  channel_id text not null references channels on delete cascade,
  -- A version that the channel publishes or has published, `other`, or empty if the request names none.
  version text not null,
  -- In UTC.
  day date not null,
  -- A format of the channel, or `other`.
  format text not null,
  -- Empty if the request does not name them.
  platform text not null,
  architecture text not null,
  -- Responses with a document, 204 and 304. The other numbers are not part of these.
  documents bigint not null default 0,
  no_updates bigint not null default 0,
  unchanged bigint not null default 0,
  errors bigint not null default 0,
  -- Complete files.
  downloads bigint not null default 0,
  -- The version is first, so that the versions of a channel can be listed without reading every row.
  primary key (channel_id, version, day, format, platform, architecture)
);
create index channel_requests_day on channel_requests (day);

-- The requests and errors of each format of a channel per hour.
create table channel_health (
  channel_id text not null references channels on delete cascade,
  format text not null,
  hour timestamptz not null,
  requests bigint not null default 0,
  errors bigint not null default 0,
  last_request_at timestamptz not null,
  last_error_at timestamptz,
  last_error_status integer,
  -- Unknown segments of the path are replaced, because they can contain a read key.
  last_error_path text,
  primary key (channel_id, format, hour)
);
create index channel_health_hour on channel_health (hour);

-- What clients report about updates to a version since its rollout began.
create table rollout_reports (
  channel_id text not null references channels on delete cascade,
  version text not null,
  -- Empty if the report does not name it.
  platform text not null,
  installed bigint not null default 0,
  failed bigint not null default 0,
  primary key (channel_id, version, platform)
);

-- A rollout stops if this percentage of at least so many reports are failures.
alter table rollouts
  add column stop_failures_percent double precision check (stop_failures_percent > 0 and stop_failures_percent <= 100),
  add column stop_minimum_reports integer check (stop_minimum_reports > 0),
  -- The reports that stopped the rollout, until somebody changes its state.
  add column rule_stopped_at timestamptz,
  add column rule_stopped_reports bigint,
  add column rule_stopped_failures bigint,
  add constraint rollouts_stop_rule_check
    check ((stop_failures_percent is null) = (stop_minimum_reports is null));
