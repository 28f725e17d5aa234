-- The commits of the Git repositories of channels (docs/decisions/0073-package-sources-without-signatures.md). Rows are
-- only added, so that clients can pull.
create table repository_commits (
  channel_id text not null references channels on delete cascade,
  -- Each format has one repository.
  format text not null,
  number integer not null check (number > 0),
  message text not null,
  -- The contents of the files by their paths, with a placeholder for the URL of the channel.
  files jsonb not null,
  committed_at timestamptz not null,
  primary key (channel_id, format, number)
);
