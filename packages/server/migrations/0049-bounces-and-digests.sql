-- Rejected emails and summaries of releases (docs/decisions/0069).
alter table distribution_groups
  add column digest text not null default 'none' check (digest in ('none', 'daily', 'weekly'));
alter table distribution_group_members
  -- When and why a mail server rejected the address. The member gets no emails until this is cleared.
  add column bounced_at timestamptz,
  add column bounce_reason text,
  -- What the member chose. Null: the setting of the group applies.
  add column digest text check (digest in ('none', 'daily', 'weekly')),
  add constraint distribution_group_members_bounce_check check ((bounced_at is null) = (bounce_reason is null));
create index distribution_group_members_address on distribution_group_members (lower(email));

-- Notifications that wait for the summary in which they are sent. The summary deletes them in its transaction.
create table digest_entries (
  notification_id uuid primary key references release_notifications (id) on delete cascade,
  member_id uuid not null references distribution_group_members on delete cascade,
  due_at timestamptz not null
);
create index digest_entries_due on digest_entries (due_at);
create index digest_entries_member on digest_entries (member_id);
