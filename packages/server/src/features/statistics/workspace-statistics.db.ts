import { sql } from 'kysely'
import { applicationColumns, selectIsReachable } from '../../access/application.db.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { VersionColumns } from '../../http/endpoint/version-parts.ts'
import { selectDaysAgo, selectIsInPeriod, type Period } from './statistics.db.ts'

const selectReachable = (db: Executor, actor: Actor) =>
  db
    .selectFrom('applications')
    .where('workspace_id', '=', actor.workspaceId)
    .where('deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'applications.id'))

/**
 * Lists up to `limit` applications by name, with the number of their builds and the bytes that they store. Each row has
 * the totals of all applications.
 */
export async function listApplicationTotals(db: Executor, actor: Actor, limit: number) {
  return db
    .with('reachable', () =>
      selectReachable(db, actor).select([
        ...applicationColumns,
        sql<number>`(select coalesce(sum(bytes), 0)::bigint from storage_usage where application_id = applications.id)`.as(
          'stored_bytes',
        ),
        sql<number>`(select coalesce(sum(builds), 0)::bigint from build_counts
            where build_counts.application_id = applications.id and build_counts.kind = 'all')
          + (select coalesce(sum(change), 0) from build_changes
            where build_changes.application_id = applications.id)`.as('build_count'),
      ]),
    )
    .selectFrom('reachable')
    .select([
      ...applicationColumns,
      'stored_bytes',
      'build_count',
      sql<number>`count(*) over ()`.as('all_applications'),
      sql<number>`sum(build_count) over ()::bigint`.as('all_builds'),
      sql<number>`sum(stored_bytes) over ()::bigint`.as('all_bytes'),
    ])
    .orderBy(sql`name collate name_order`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Lists the uploads and the changes in stored bytes per day. Those of applications that are not in `ids` are combined,
 * with `application_id` null.
 */
export async function listDailyChanges(db: Executor, actor: Actor, ids: string[], period: Period) {
  const { rows } = await sql<{
    application_id: string | null
    kind: 'uploads' | 'stored_bytes'
    days_ago: number
    amount: number
  }>`
    select case when application_id = any(${ids}::text[]) then application_id end as application_id, kind,
      ${selectDaysAgo(period)} as days_ago, sum(amount)::bigint as amount
    from daily_statistics
    where application_id = any(array(${selectReachable(db, actor).select('id')}))
      and kind in ('uploads', 'stored_bytes') and ${selectIsInPeriod(period)}
    group by 1, 2, 3`.execute(db)
  return rows
}

export type NewestBuild = VersionColumns & {
  id: string
  application_id: string
  platform: string
  build_number: string | null
  created_at: string
}

/** Lists the newest build of each platform of the applications, excluding the trash. */
export async function listNewestBuilds(db: Executor, applicationIds: string[]): Promise<NewestBuild[]> {
  const { rows } = await sql<NewestBuild>`
    select newest.* from application_platforms cross join lateral (
      select id, application_id, platform, build_number, version_major, version_minor, version_patch, version_extra,
        version_meta, created_at
      from builds
      where builds.application_id = application_platforms.application_id
        and builds.platform = application_platforms.platform and deleted_at is null
      order by builds.created_at desc, builds.id desc limit 1
    ) as newest
    where application_platforms.application_id = any(${applicationIds}::text[])
    order by newest.created_at desc, newest.id`.execute(db)
  return rows
}
