-- Keys with a certificate (docs/decisions/0075-fdroid-certificates.md) beside OpenPGP keys. A workspace has a current one of
-- each kind.
alter table repository_keys
  add column kind text not null default 'openpgp' check (kind in ('openpgp', 'x509')),
  drop constraint repository_keys_fingerprint_check,
  add constraint repository_keys_fingerprint_check
    check (fingerprint ~ case kind when 'openpgp' then '^[0-9a-f]{40}$' else '^[0-9a-f]{64}$' end);
drop index repository_keys_current;
create unique index repository_keys_current on repository_keys (workspace_id, kind) where retires_at is null;
