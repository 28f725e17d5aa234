-- When a member asked for no more emails of the group. The member keeps the access to its releases.
alter table distribution_group_members add column unsubscribed_at timestamptz;

-- The URL at which the recipient can unsubscribe from emails like this one. It contains a secret, and is deleted once the email is sent.
alter table mails add column unsubscribe_url text;
