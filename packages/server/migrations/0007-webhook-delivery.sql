-- The reason why the last attempt received no response, such as a refused connection.
alter table webhook_requests add column error text;

-- `updated_at` reports changes to the settings of a webhook; the results of deliveries do not change it.
drop trigger set_updated_at on webhooks;
create trigger set_updated_at
  before update of description, url, event, stream_id, label_id, format, secret_encrypted, is_active on webhooks
  for each row execute function set_updated_at();

-- Finds the webhooks that are subscribed to an event.
create index webhooks_subscribed on webhooks (application_id, event) where is_active;

-- Cancels the pending requests of a webhook.
create index webhook_requests_waiting on webhook_requests (webhook_id) where state = 'waiting';
