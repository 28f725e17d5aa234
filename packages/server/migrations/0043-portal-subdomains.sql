-- A subdomain belongs to its workspace, so that no workspace learns which ones others have (docs/decisions/0053). Nodes of
-- the previous version map the name of the index to an error.
drop index portals_subdomain;
create unique index portals_subdomain on portals (workspace_id, subdomain);
