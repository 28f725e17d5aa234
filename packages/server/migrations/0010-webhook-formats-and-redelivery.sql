-- Adds the formats for chat services.
alter table webhooks drop constraint webhooks_format_check;
alter table webhooks add constraint webhooks_format_check
  check (format in ('json', 'form', 'slack', 'discord', 'teams'));

-- No request is sent before this time, which the receiver set with Retry-After in a 429 response.
alter table webhooks add column paused_until timestamptz;

-- The ID of the request that this one redelivers. It is not a foreign key, because the older request is deleted first,
-- and the newer one must still be recognized as a redelivery.
alter table webhook_requests add column redelivery_of uuid;
create index webhook_requests_redelivery_of on webhook_requests (redelivery_of) where redelivery_of is not null;

-- Finds the webhooks that have waiting requests, and the due requests of each webhook.
drop index webhook_requests_waiting;
create index webhook_requests_waiting on webhook_requests (webhook_id, next_attempt_at) where state = 'waiting';

-- Wakes the webhook senders of all nodes. PostgreSQL commits transactions with notifications one at a time, so no
-- notification is sent for events without a webhook.
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
