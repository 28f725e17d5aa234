-- A key that an OIDC token was exchanged for: which rules let it in, and the SHA-256 of the signed part of the token.
alter table api_keys
  add column trusted_publisher_ids uuid[] check (cardinality(trusted_publisher_ids) > 0),
  add column token_sha256 bytea check (length(token_sha256) = 32),
  add constraint api_keys_of_tokens check (
    (token_sha256 is null) = (trusted_publisher_ids is null)
    and (token_sha256 is null or (kind = 'application' and expires_at is not null))
  );
-- How often a token was used, which keys end with a rule, and which are old enough to go.
create index api_keys_by_token on api_keys (application_id, token_sha256) where token_sha256 is not null;
create index api_keys_of_tokens_by_expiry on api_keys (expires_at) where token_sha256 is not null;

create index trusted_publishers_of_application on trusted_publishers (application_id, created_at, id);
-- keys of tokens are deleted when they are old: each asks which uploads name it
create index pending_uploads_api_key on pending_uploads (api_key_id) where api_key_id is not null;
