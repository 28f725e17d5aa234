-- The checksums of the blocks of AppImages, from which the control files of zsync are made
-- (docs/decisions/0078-proofs-of-update-feeds.md). They are computed when a client first asks for them.
create table file_block_sums (
  file_id uuid primary key references files on delete cascade,
  sums bytea not null
);
