--------------------------------------------------------------------------------
-- Personal notifications in a chat
--------------------------------------------------------------------------------

alter table notification_rules add column sends_chat boolean not null default false;

-- The incoming webhook of a chat service to which a person's notifications are sent.
alter table notification_settings
  add column chat_url text,
  add column chat_format text check (chat_format in ('slack', 'discord', 'teams')),
  -- Why the last message was not delivered.
  add column chat_error text check (chat_error <> ''),
  add constraint notification_settings_chat check ((chat_url is null) = (chat_format is null));

-- Notifications that wait to be sent to the chat of a person.
create table notification_chats (
  notification_id uuid primary key references notifications on delete cascade,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now()
);
