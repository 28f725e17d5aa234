-- For the downloads of a distribution group, and for deletes that clear the reference.
create index downloads_distribution_group on downloads (distribution_group_id, created_at, id)
  where distribution_group_id is not null;
