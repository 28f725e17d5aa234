-- Links, codes and trusted devices end with the credentials with which they were obtained (docs/decisions/0045).

-- The user whom the value lets in: with a link sent by email, a code that is still missing, or a device that needs none.
alter table verifications add column user_id text references users on delete cascade;
update verifications set user_id = users.id from users where users.id = verifications.value;
create index verifications_user on verifications (user_id) where user_id is not null;
-- Sign-in links, which are valid for 15 minutes, name only an email address.
delete from verifications where user_id is null and starts_with(value, '{"type":"magic-link"');

create function set_verified_user() returns trigger language plpgsql as $$
declare
  email_in_value text := case when starts_with(new.value, '{') then new.value::json ->> 'email' end;
begin
  select id into new.user_id from users where id = new.value or lower(email) = lower(email_in_value);
  return new;
end
$$;

-- A node of the previous version, which runs while nodes are updated, does not set the user.
create trigger set_verified_user before insert on verifications for each row execute function set_verified_user();

-- The number of the half minute of the last code that was accepted, so that no code is accepted twice (RFC 6238, section 5.2).
alter table two_factors add column last_used_step bigint;

-- Accounts without a subject at the identity provider were shared by everybody whose subject was not a string, and an
-- email claim that is not exactly one address may have ended in the domain of somebody else. Passkeys and links that
-- were added to such users may belong to anyone.
with imprecise as (
  select id from users
  where email !~ '^[^\s@<>"(),:;\\\[\]]+@[^\s@<>"(),:;\\\[\]]+$' or email ~ '[[:cntrl:]]' or length(email) > 254
), refused as (
  delete from accounts
  where provider_id = 'sso' and (account_id !~ '^\S+ .*\S' or user_id in (select id from imprecise))
  returning user_id
), refused_passkeys as (
  delete from passkeys where user_id in (select user_id from refused)
), refused_verifications as (
  delete from verifications where user_id in (select user_id from refused)
)
delete from sessions where user_id in (select user_id from refused union select id from imprecise);

create function end_verifications() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  delete from verifications where user_id = coalesce(changed ->> 'user_id', changed ->> 'id');
  return null;
end
$$;

create function end_sessions() returns trigger language plpgsql as $$
begin
  delete from sessions where user_id = new.user_id;
  return null;
end
$$;

-- better-auth writes outside our transactions. Triggers end the values in the statement that changes the credential, on
-- whatever path it changes.
create trigger end_verifications_of_account after insert or delete on accounts
  for each row execute function end_verifications();
create trigger end_verifications_of_password after update of password on accounts
  for each row when (old.password is distinct from new.password) execute function end_verifications();
create trigger end_sessions_of_password after update of password on accounts
  for each row when (old.password is distinct from new.password) execute function end_sessions();
create trigger end_verifications_of_passkey after insert or delete on passkeys
  for each row execute function end_verifications();
create trigger end_verifications_of_user after update of email, two_factor_enabled on users
  for each row
  when (old.email is distinct from new.email or old.two_factor_enabled is distinct from new.two_factor_enabled)
  execute function end_verifications();

-- The scheme of a URL is not case-sensitive (RFC 3986, section 3.1).
alter table webhooks drop constraint webhooks_url_check;
alter table webhooks add constraint webhooks_url_check check (url ~* '^https?://');
