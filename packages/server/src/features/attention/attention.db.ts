import { sql, type RawBuilder } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import { isoTimestamp } from '../../database/expressions.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { VersionColumns } from '../../http/endpoint/version-parts.ts'
import { selectIsKept, selectIsShareLinkUsable } from '../builds/build.db.ts'
import { selectIsAccessRequestOpen } from '../members/access-requests/access-request.db.ts'

/** Each kind is limited to this many items. */
const maxPerKind = 100

type InApplication = { application_id: string; application_name: string }

const selectNames = sql`applications.id as application_id, applications.name as application_name`

/** Whether a row of `applications` is an application that the caller can access and that is not in the trash. */
const isReachable = (actor: Actor): RawBuilder<boolean> =>
  sql<boolean>`(applications.workspace_id = ${actor.workspaceId} and applications.deleted_at is null
    and ${selectIsReachable(actor, 'applications.id')})`

/**
 * Lists the webhooks in the error state, latest failure first. Inactive webhooks are listed if their latest failure was
 * within the last `days` days.
 */
export async function listFailingWebhooks(db: Executor, actor: Actor, days: number) {
  const { rows } = await sql<
    InApplication & { id: string; event: string; is_active: boolean; failed_at: string }
  >`
    select ${selectNames}, webhooks.id, webhooks.event, webhooks.is_active,
      coalesce(last_failed_request_at, webhooks.updated_at) as failed_at
    from webhooks join applications on applications.id = webhooks.application_id
    where webhooks.workspace_id = ${actor.workspaceId} and in_error_state and ${isReachable(actor)}
      and (webhooks.is_active or last_failed_request_at > now() - make_interval(days => ${days}::int))
    order by failed_at desc, webhooks.id limit ${maxPerKind}`.execute(db)
  return rows
}

/** Lists the active webhooks whose secret can be guessed, latest change first. */
export async function listWeakWebhookSecrets(db: Executor, actor: Actor) {
  const { rows } = await sql<InApplication & { id: string; event: string; updated_at: string }>`
    select ${selectNames}, webhooks.id, webhooks.event, webhooks.updated_at
    from webhooks join applications on applications.id = webhooks.application_id
    where webhooks.workspace_id = ${actor.workspaceId} and secret_is_weak and webhooks.is_active and ${isReachable(actor)}
    order by webhooks.updated_at desc, webhooks.id limit ${maxPerKind}`.execute(db)
  return rows
}

/** Returns the number of builds per application whose processing failed, and the newest one of them. */
export async function listFailedBuilds(db: Executor, actor: Actor, days: number) {
  const { rows } = await sql<
    InApplication & VersionColumns & { id: string; platform: string; created_at: string; count: number }
  >`
    select ${selectNames}, newest.*, failed.count
    from (
      select application_id, count(*) as count, (array_agg(id order by created_at desc, id desc))[1] as id
      from builds
      where workspace_id = ${actor.workspaceId} and processing = 'failed' and deleted_at is null
        and created_at > now() - make_interval(days => ${days}::int)
      group by application_id
    ) as failed
    join applications on applications.id = failed.application_id
    cross join lateral (
      select id, platform, version_major, version_minor, version_patch, version_extra, version_meta, created_at
      from builds where builds.id = failed.id
    ) as newest
    where ${isReachable(actor)}
    order by newest.created_at desc, newest.id limit ${maxPerKind}`.execute(db)
  return rows
}

/**
 * Lists the newest build of each application and platform if its provisioning profile has expired within the last
 * `days` days or expires within the next `days` days.
 */
export async function listExpiringProfiles(db: Executor, actor: Actor, days: number) {
  const expiry = sql`(ios_info ->> 'provisioning_profile_expiry') collate "C"`
  // The text is compared, because PostgreSQL cannot parse every date that a profile may contain.
  const inDays = (count: number) => isoTimestamp(sql`(now() + make_interval(days => ${count}::int))`)
  const { rows } = await sql<
    InApplication &
      VersionColumns & { id: string; platform: string; expires_at: string; has_expired: boolean }
  >`
    select ${selectNames}, newest.id, newest.platform, version_major, version_minor, version_patch, version_extra,
      version_meta, ${expiry} as expires_at, ${expiry} <= ${inDays(0)} as has_expired
    from applications join application_platforms on application_platforms.application_id = applications.id
    cross join lateral (
      select * from builds
      where builds.application_id = application_platforms.application_id
        and builds.platform = application_platforms.platform and builds.deleted_at is null
      order by builds.created_at desc, builds.id desc limit 1
    ) as newest
    where ${isReachable(actor)} and ${expiry} between ${inDays(-days)} and ${inDays(days)}
    order by expires_at desc, newest.id limit ${maxPerKind}`.execute(db)
  return rows
}

/**
 * Returns the number and size of the builds of each stream that retention moves to the trash within `days` days, and
 * the time at which the first of them is moved.
 */
export async function listDueStreams(db: Executor, actor: Actor, days: number) {
  const isDue = sql`builds.stream_id = streams.id and builds.deleted_at is null and not builds.keep_forever
    and builds.created_at <= now() + make_interval(days => ${days}::int - streams.retention_days)`
  // The builds in releases and share links are subtracted, because checking each of 670,000 builds took 0.6 s.
  const { rows } = await sql<
    InApplication & { id: string; name: string; count: number; bytes: number; due_at: string }
  >`
    select ${selectNames}, streams.id, streams.name, old.count - kept.count as count,
      (old.bytes - kept.bytes)::bigint as bytes,
      first_due.created_at + make_interval(days => streams.retention_days) as due_at
    from applications join streams on streams.application_id = applications.id
    cross join lateral (
      select builds.created_at from builds where ${isDue} and not ${selectIsKept}
      order by builds.created_at, builds.id limit 1
    ) as first_due
    cross join lateral (
      select count(*) as count, sum(size_total_bytes) as bytes from builds where ${isDue}
    ) as old
    cross join lateral (
      select count(*) as count, coalesce(sum(size_total_bytes), 0) as bytes from builds
      where ${isDue} and builds.id in (
        select build_id from release_builds where release_builds.application_id = applications.id
        union all select build_id from share_links
        where share_links.application_id = applications.id and build_id is not null and ${selectIsShareLinkUsable})
    ) as kept
    where ${isReachable(actor)} and streams.retention_days is not null and streams.moving_to is null
    order by due_at, streams.id limit ${maxPerKind}`.execute(db)
  return rows
}

/** Returns the number of usable share links of each application that expire within `days` days. */
export async function listExpiringShareLinks(db: Executor, actor: Actor, days: number) {
  const { rows } = await sql<InApplication & { count: number; expires_at: string }>`
    select ${selectNames}, count(*) as count, min(share_links.expires_at) as expires_at
    from share_links join applications on applications.id = share_links.application_id
    where share_links.workspace_id = ${actor.workspaceId} and ${isReachable(actor)} and ${selectIsShareLinkUsable}
      and share_links.expires_at <= now() + make_interval(days => ${days}::int)
    group by applications.id
    order by expires_at, applications.id limit ${maxPerKind}`.execute(db)
  return rows
}

/** Selects whether the caller can decide who has access to the application in the row of `applications`. */
function administers({ session, scopes }: Actor): RawBuilder<boolean> {
  const roles = session?.applicationRoles ?? null
  if (roles === null) return sql`${scopes.has('applications:write')}::boolean`
  const ids = [...roles].filter(([, role]) => role === 'admin').map(([id]) => id)
  return sql`applications.id = any(${ids}::text[])`
}

/** Returns the number of open requests for access to each application of which the caller is an admin. */
export async function listOpenAccessRequests(db: Executor, actor: Actor) {
  const { rows } = await sql<InApplication & { count: number; created_at: string }>`
    select ${selectNames}, count(*) as count, max(r.created_at) as created_at
    from access_requests r join applications on applications.id = r.application_id
    where r.workspace_id = ${actor.workspaceId} and ${isReachable(actor)} and ${administers(actor)}
      and ${selectIsAccessRequestOpen}
    group by applications.id
    order by created_at desc, applications.id limit ${maxPerKind}`.execute(db)
  return rows
}

/** Returns the number of emails created within the last `days` days that could not be sent, and the latest time. */
export async function countFailedMails(db: Executor, workspaceId: string, days: number) {
  return db
    .selectFrom('mails')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('created_at')])
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'failed')
    .where(sql<boolean>`created_at > now() - make_interval(days => ${days}::int)`)
    .executeTakeFirstOrThrow()
}
