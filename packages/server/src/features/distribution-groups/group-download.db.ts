import { sql } from 'kysely'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'

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
