-- The personal link in a mail is known by this id; the secret part of its URL is derived, never stored.
alter table release_notifications add column id uuid not null default gen_random_uuid();
alter table release_notifications alter column id drop default;
create unique index release_notifications_id on release_notifications (id);

update distribution_groups set type = 'external' where type not in ('external', 'internal');
alter table distribution_groups add check (type in ('external', 'internal'));

-- Exactly the value that the icon type asks for.
update distribution_groups set icon_type = 'none', icon_emoji_code = null, icon_set_value = null
where (icon_emoji_code is not null) <> (icon_type = 'emoji') or (icon_set_value is not null) <> (icon_type = 'fa');
alter table distribution_groups add check ((icon_emoji_code is not null) = (icon_type = 'emoji'));
alter table distribution_groups add check ((icon_set_value is not null) = (icon_type = 'fa'));

create index distribution_group_members_added
  on distribution_group_members (distribution_group_id, added_at, id);
create index distribution_group_releases_added
  on distribution_group_releases (distribution_group_id, added_at, release_id);
