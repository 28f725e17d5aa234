-- When a person got emails before they unsubscribed, so that subscribing again from an email restores it.
alter table notification_settings add column subscribed_email text not null default 'at_once'
  check (subscribed_email in ('at_once', 'daily'));
update notification_settings set subscribed_email = email where email <> 'none';
