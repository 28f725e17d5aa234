-- The formats of chat services.
alter table webhooks drop constraint webhooks_format_check;
alter table webhooks add constraint webhooks_format_check
  check (format in ('json', 'form', 'slack', 'discord', 'teams'));

-- Set by a response with status 429 and a Retry-After header.
alter table webhooks add column paused_until timestamptz;

-- The request that this one repeats. Not a foreign key, because the older request is deleted first, and the newer one
-- must still be recognized as a redelivery.
alter table webhook_requests add column redelivery_of uuid;
create index webhook_requests_redelivery_of on webhook_requests (redelivery_of) where redelivery_of is not null;

-- Finds the webhooks with waiting requests, and the requests of each that are due.
drop index webhook_requests_waiting;
create index webhook_requests_waiting on webhook_requests (webhook_id, next_attempt_at) where state = 'waiting';

-- Wakes the webhook senders of all nodes. Commits that notify run one after another, so events without a subscriber
-- cause no notification.
create function notify_subscribed_events() returns trigger language plpgsql as $$
begin
  if exists (select from added join webhooks on webhooks.application_id = added.application_id
      and webhooks.event = added.name and webhooks.is_active) then
    perform pg_notify('quayside_events', '');
  end if;
  return null;
end $$;
create trigger notify_subscribed_events after insert on events referencing new table as added
  for each statement execute function notify_subscribed_events();
