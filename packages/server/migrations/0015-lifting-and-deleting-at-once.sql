-- Whatever carries a label or is for a custom target repeated who owns it, so that lifting one to the workspace wrote a
-- million rows. Keys now ask for the workspace, which never changes; that it is not of another application, a trigger.
alter table labels add unique (id, workspace_id);
alter table custom_targets add unique (id, workspace_id, platform);

alter table build_labels drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table release_labels drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table webhooks drop column label_owner_id,
  add foreign key (label_id, workspace_id) references labels (id, workspace_id) on delete cascade;
alter table builds drop column custom_target_owner_id,
  add foreign key (custom_target_id, workspace_id, platform)
    references custom_targets (id, workspace_id, platform) on update cascade;
alter table labels drop constraint labels_id_owner_id_key;
alter table custom_targets drop constraint custom_targets_id_owner_id_platform_key;

create function refuse_foreign_label() returns trigger language plpgsql as $$
begin
  if exists (select from labels where id = new.label_id and application_id <> new.application_id) then
    raise exception 'label % is of another application', new.label_id using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger refuse_foreign_label before insert or update of label_id on build_labels
  for each row execute function refuse_foreign_label();
create trigger refuse_foreign_label before insert or update of label_id on release_labels
  for each row execute function refuse_foreign_label();
create trigger refuse_foreign_label before insert or update of label_id on webhooks
  for each row when (new.label_id is not null) execute function refuse_foreign_label();

create function refuse_foreign_target() returns trigger language plpgsql as $$
begin
  if exists (select from custom_targets where id = new.custom_target_id and application_id <> new.application_id) then
    raise exception 'custom target % is of another application', new.custom_target_id
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger refuse_foreign_target before insert or update of custom_target_id on builds
  for each row when (new.custom_target_id is not null) execute function refuse_foreign_target();

-- Sums over what carries another label stay the same: a build that also carried this one counts among those without.
create function forget_label() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(44000010);
  update build_changes set label_ids = array_remove(label_ids, old.id) where old.id = any(label_ids);
  with gone as (
    delete from build_counts where old.id = any(label_ids) returning *
  )
  insert into build_counts (application_id, kind, label_ids, builds)
  select application_id, kind, array_remove(label_ids, old.id), sum(builds)
  from gone where kind = 'labels' and label_ids <> array[old.id] group by 1, 2, 3
  on conflict (application_id, kind, scm_branch, label_ids, day, stream_id, platform, custom_target_id, build_source)
    do update set builds = build_counts.builds + excluded.builds;
  return null;
end $$;
create trigger forget_label after delete on labels for each row execute function forget_label();
