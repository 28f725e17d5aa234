-- An answer may hold a secret that is shown once (a new key): it is sealed like every secret at rest.
alter table idempotency_keys
  drop column body,
  add column answer_sealed bytea,
  add check ((status is null) = (answer_sealed is null));
