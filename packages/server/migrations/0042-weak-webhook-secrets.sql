-- Whether the secret can be guessed, which earlier versions did not prevent. Null until a job has decrypted the secret.
alter table webhooks add column secret_is_weak boolean;

-- A trigger, because a node of an earlier version may replace a secret.
create function check_secret_again() returns trigger language plpgsql as $$
begin
  new.secret_is_weak := null;
  return new;
end $$;
create trigger check_secret_again before update of secret_encrypted on webhooks for each row
  when (old.secret_encrypted is distinct from new.secret_encrypted) execute function check_secret_again();
