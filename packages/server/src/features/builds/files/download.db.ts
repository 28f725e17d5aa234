import { sql, type Insertable } from 'kysely'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Database } from '../../../database/tables.ts'
import type { Executor } from '../../../database/transaction.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'

export async function insertDownloads(
  db: Executor,
  downloads: Insertable<Database['downloads']>[],
): Promise<void> {
  await db.insertInto('downloads').values(downloads).execute()
}

/** Inserts a download and returns true, or false if there is a download with this ID. */
export async function insertNewDownload(
  db: Executor,
  download: Insertable<Database['downloads']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('downloads')
    .values(download)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Finds a share link download that began within the last `seconds` seconds. Returns its build and how many seconds of
 * that period remain.
 */
export async function findRecentDownload(
  db: Executor,
  { id, shareLinkId }: { id: string; shareLinkId: string },
  seconds: number,
) {
  const secondsLeft = sql<number>`floor(extract(epoch from created_at - now()) + ${seconds}::int)::int`
  return db
    .selectFrom('downloads')
    .select(['id', 'build_id', secondsLeft.as('seconds_left')])
    .where('id', '=', id)
    .where('share_link_id', '=', shareLinkId)
    .where('created_at', '>', sql<string>`now() - make_interval(secs => ${seconds}::int - 1)`)
    .executeTakeFirst()
}

/** Finds the download of a build with this ID. */
export async function findDownload(db: Executor, id: string, buildId: string) {
  return db
    .selectFrom('downloads')
    .select('id')
    .where('id', '=', id)
    .where('build_id', '=', buildId)
    .executeTakeFirst()
}

const selectDownloads = (db: Executor) =>
  db
    .selectFrom('downloads')
    .leftJoin('api_keys', 'api_keys.id', 'downloads.api_key_id')
    .select([
      'downloads.id',
      'downloads.channel',
      'downloads.file_id',
      'downloads.metadata_artifact_id',
      'downloads.share_link_id',
      'downloads.distribution_group_id',
      'downloads.portal_id',
      'downloads.api_key_id',
      'api_keys.name as api_key_name',
      'downloads.user_id',
      'downloads.email',
      sql<string | null>`host(downloads.address)`.as('address'),
      'downloads.user_agent',
      'downloads.created_at',
    ])

export type DownloadRow = Awaited<ReturnType<ReturnType<typeof selectDownloads>['executeTakeFirstOrThrow']>>

export async function listDownloadsPage(
  db: Executor,
  buildId: string,
  direction: 'asc' | 'desc',
  page: Page,
) {
  // Selects the IDs with an index-only scan, so that skipped rows are not read.
  const picked = db
    .selectFrom('downloads')
    .select('id')
    .where('build_id', '=', buildId)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
  return listWithTotal(
    selectDownloads(db)
      .where(sql<boolean>`downloads.id = any(array(${picked}))`)
      .orderBy('downloads.created_at', direction)
      .orderBy('downloads.id', direction),
    db.selectFrom('downloads').where('build_id', '=', buildId),
  )
}
