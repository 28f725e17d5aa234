-- For the latest download of each member of a distribution group.
create index downloads_group_member on downloads (distribution_group_id, email, created_at, id)
  where distribution_group_id is not null;
