import { sql, type RawBuilder } from 'kysely'
import { selectMemberReaches } from '../../access/member.db.ts'
import type { Tx } from '../../database/transaction.ts'
import type { AccessNotice } from '../../deps.ts'

/** The subject of a notification, by the columns that refer to it. */
export type NotificationSubject = {
  applicationId: string
  workspaceId: string
  buildId?: string
  releaseId?: string
  feedbackId?: string
}

const subject = sql`workspace_id, user_id, application_id, kind, build_id, release_id, feedback_id, channel_id, occurred_at`

/**
 * Creates the notifications of the matches, which have the columns of the table, `sends_email` and `sends_chat`. A person gets one
 * notification of a change, even if several rules match it or the change was recorded before. Returns the number created.
 */
async function insertMatches(tx: Tx, matches: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with grouped as materialized (
      select ${subject}, gen_random_uuid() as id, max(stream) as stream, max(label) as label,
        max(actor_name) as actor_name, bool_or(sends_email) as sends_email, bool_or(sends_chat) as sends_chat
      from (${matches}) as matches group by ${subject}
    ), inserted as (
      insert into notifications (id, ${subject}, stream, label, actor_name)
      select id, ${subject}, stream, label, actor_name from grouped order by user_id
      on conflict do nothing returning id
    ), emails as (
      insert into notification_emails (notification_id)
      select grouped.id from inserted join grouped on grouped.id = inserted.id
        left join notification_settings s on s.workspace_id = grouped.workspace_id and s.user_id = grouped.user_id
      where grouped.sends_email and coalesce(s.email, 'at_once') <> 'none'
    ), chats as (
      insert into notification_chats (notification_id)
      select grouped.id from inserted join grouped on grouped.id = inserted.id
        join notification_settings s on s.workspace_id = grouped.workspace_id and s.user_id = grouped.user_id
      where grouped.sends_chat and s.chat_url is not null
    )
    select count(*) as count from inserted`.execute(tx)
  return rows[0]?.count ?? 0
}

// The build of an event is the subject of every condition of a rule.
const build = sql`event.data -> 'build'`
const buildId = sql`event.data -> 'build' ->> 'id'`

/** Selects the person who uploaded the build, in the console or with an API key. */
const uploader = sql`(
  select coalesce(case when entry.actor_kind = 'user' then entry.actor_id end, api_keys.user_id)
  from audit_entries entry left join api_keys on entry.actor_kind = 'api-key' and api_keys.id = entry.actor_id
  where entry.workspace_id = event.workspace_id and entry.subject_type = 'build' and entry.subject_id = ${buildId}
    and entry.action = 'build.created'
  order by entry.created_at limit 1)`

const matchesConditions = sql`
  (r.stream is null or lower(r.stream) = lower(${build} -> 'stream' ->> 'name'))
  and (r.platform is null or r.platform = ${build} -> 'platform' ->> 'identifier')
  and (r.label is null or case
    when event.name = 'build.label.added' then lower(r.label) = lower(event.data -> 'label' ->> 'name')
    else exists (select from jsonb_array_elements(${build} -> 'labels') as labels (item)
      where lower(item ->> 'name') = lower(r.label)) end)
  and (event.name <> 'build.moved' or r.stream is not null)
  and (event.name <> 'build.label.added' or r.label is not null)
  and (not r.own_only or r.user_id = ${uploader})`

/** Selects whether the member made the change in the console. */
const isOwnChange = sql`exists (
  select from audit_entries entry
  where entry.workspace_id = event.workspace_id and entry.subject_type = event.subject_type
    and entry.subject_id = event.subject_id and entry.created_at = event.created_at
    and entry.actor_kind = 'user' and entry.actor_id = r.user_id)`

/**
 * Creates the notifications of these events for the members whose rules match and who can access the application. The
 * caller must call it once for each event. Returns the number created.
 */
export async function insertNotificationsForEvents(tx: Tx, eventIds: readonly string[]): Promise<number> {
  return insertMatches(
    tx,
    sql`
    select event.workspace_id, r.user_id, event.application_id, event.kind, builds.id as build_id,
      event.data -> 'release' ->> 'id' as release_id, event.data -> 'feedback' ->> 'id' as feedback_id,
      event.data -> 'channel' ->> 'id' as channel_id, ${build} -> 'stream' ->> 'name' as stream,
      event.data -> 'label' ->> 'name' as label, null::text as actor_name, event.created_at as occurred_at,
      r.sends_email, r.sends_chat
    from (
      select events.*, split_part(events.name, '.', 1) as subject_type,
        events.data -> split_part(events.name, '.', 1) ->> 'id' as subject_id,
        case events.name
          when 'build.created' then 'build' when 'build.moved' then 'build' when 'build.label.added' then 'build'
          when 'build.processed' then 'build_failed' when 'feedback.created' then 'feedback'
          when 'release.created' then 'release' when 'rollout.stopped' then 'rollout_stopped' end as kind
      from events where events.id = any(${eventIds}::uuid[])
    ) as event
    join applications on applications.id = event.application_id and applications.deleted_at is null
    join notification_rules r on r.workspace_id = event.workspace_id and r.kind = event.kind
      and coalesce(r.application_id, event.application_id) = event.application_id
    join workspace_members m on m.workspace_id = r.workspace_id and m.user_id = r.user_id
    left join builds on builds.id = ${buildId} and builds.deleted_at is null
    where (builds.id is not null or not event.data ? 'build')
      and (event.kind <> 'build_failed' or ${build} ->> 'processing' = 'failed')
      and (not event.data ? 'release' or exists (select from releases where id = event.data -> 'release' ->> 'id'))
      and (not event.data ? 'feedback' or exists (select from feedback where id = event.data -> 'feedback' ->> 'id'))
      and (not event.data ? 'channel' or exists (select from channels where id = event.data -> 'channel' ->> 'id'))
      and ${selectMemberReaches(sql`event.application_id`)}
      and ${matchesConditions} and not ${isOwnChange}`,
  )
}

/** Creates the notifications of the members who are mentioned, unless they were mentioned there before. */
export async function insertMentions(
  tx: Tx,
  { applicationId, workspaceId, buildId: build_id, releaseId, feedbackId }: NotificationSubject,
  { userIds, actorName }: { userIds: readonly string[]; actorName: string },
): Promise<void> {
  await insertMatches(
    tx,
    sql`
    select r.workspace_id, r.user_id, ${applicationId}::text as application_id, 'mention' as kind,
      ${build_id ?? null}::text as build_id, ${releaseId ?? null}::text as release_id,
      ${feedbackId ?? null}::text as feedback_id, null::text as channel_id, null::text as stream,
      null::text as label, ${actorName}::text as actor_name, now() as occurred_at, r.sends_email, r.sends_chat
    from notification_rules r
    where r.workspace_id = ${workspaceId} and r.user_id = any(${[...userIds]}::text[]) and r.kind = 'mention'
      and coalesce(r.application_id, ${applicationId}) = ${applicationId}`,
  )
}

/** Implements `notifyOfAccess` of `Dependents`. */
export async function insertAccessNotices(tx: Tx, notice: AccessNotice): Promise<void> {
  const { applicationId, workspaceId, kind, actorName } = notice
  const isRecipient =
    notice.kind === 'access_granted'
      ? sql`r.user_id = ${notice.userId}`
      : sql`(select effective.role from effective_application_roles effective
          where effective.application_id = ${applicationId} and effective.workspace_id = r.workspace_id
            and effective.user_id = r.user_id) = 'admin'`
  await insertMatches(
    tx,
    sql`
    select r.workspace_id, r.user_id, ${applicationId}::text as application_id, r.kind, null::text as build_id,
      null::text as release_id, null::text as feedback_id, null::text as channel_id, null::text as stream,
      null::text as label, ${actorName}::text as actor_name, now() as occurred_at, r.sends_email, r.sends_chat
    from notification_rules r
    where r.workspace_id = ${workspaceId} and r.kind = ${kind}
      and coalesce(r.application_id, ${applicationId}) = ${applicationId} and ${isRecipient}`,
  )
}

/** Lists the members who can access the application, with the names under which they can be mentioned. */
export async function listMentionableMembers(
  tx: Tx,
  { applicationId, workspaceId }: NotificationSubject,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select m.user_id as id, m.name from workspace_members m
    where m.workspace_id = ${workspaceId} and ${selectMemberReaches(sql`${applicationId}`)}
    order by m.user_id`.execute(tx)
  return rows
}
