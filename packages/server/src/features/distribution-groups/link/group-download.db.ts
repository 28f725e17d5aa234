import { sql } from 'kysely'
import { isoTimestamp } from '../../../database/expressions.ts'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Executor } from '../../../database/transaction.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import type { VersionColumns } from '../../../http/endpoint/version-parts.ts'

const selectGroupDownloads = (db: Executor, groupId: string) =>
  db
    .selectFrom('downloads')
    .innerJoin('applications', 'applications.id', 'downloads.application_id')
    .innerJoin('builds', 'builds.id', 'downloads.build_id')
    .where('downloads.distribution_group_id', '=', groupId)
    .where('applications.deleted_at', 'is', null)

export type GroupDownloadRow = Awaited<ReturnType<typeof listGroupDownloadsPage>>['rows'][number]

/** Lists the downloads by the members of a group, except those of applications in the trash. */
export async function listGroupDownloadsPage(
  db: Executor,
  groupId: string,
  direction: 'asc' | 'desc',
  page: Page,
) {
  const matching = selectGroupDownloads(db, groupId)
  return listWithTotal(
    matching
      .select([
        'downloads.id',
        'downloads.email',
        'downloads.application_id',
        'applications.name as application_name',
        'downloads.build_id',
        'builds.version_major',
        'builds.version_minor',
        'builds.version_patch',
        'builds.version_extra',
        'builds.version_meta',
        'builds.build_number',
        'builds.platform',
        sql<string | null>`host(downloads.address)`.as('address'),
        'downloads.user_agent',
        'downloads.created_at',
      ])
      .orderBy('downloads.created_at', direction)
      .orderBy('downloads.id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

/** Returns whether a member downloaded a build through the group within the last `seconds` seconds. */
export async function hasRecentGroupDownload(
  db: Executor,
  { groupId, email, buildId }: { groupId: string; email: string; buildId: string },
  seconds: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('downloads')
    .select('id')
    .where('distribution_group_id', '=', groupId)
    .where('email', '=', email)
    .where('build_id', '=', buildId)
    .where('created_at', '>', sql<string>`now() - make_interval(secs => ${seconds}::int)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type LatestDownload = VersionColumns & {
  application_id: string
  application_name: string
  build_id: string
  build_number: string | null
  platform: string
  created_at: string
}

/**
 * The latest download by a row of `distribution_group_members` as JSON, except from applications in the trash; null if
 * there is none.
 */
export const selectLatestDownload = sql<LatestDownload | null>`(
  select json_build_object('application_id', a.id, 'application_name', a.name, 'build_id', b.id,
    'version_major', b.version_major, 'version_minor', b.version_minor, 'version_patch', b.version_patch,
    'version_extra', b.version_extra, 'version_meta', b.version_meta, 'build_number', b.build_number,
    'platform', b.platform, 'created_at', ${isoTimestamp(sql`d.created_at`)})
  from downloads d join builds b on b.id = d.build_id join applications a on a.id = d.application_id
  where d.distribution_group_id = distribution_group_members.distribution_group_id
    and d.email = distribution_group_members.email and a.deleted_at is null
  order by d.created_at desc, d.id desc limit 1)`
