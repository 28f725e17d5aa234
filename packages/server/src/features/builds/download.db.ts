import { sql, type Insertable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'

/** Records who took which build when, and by which way in. */
export async function insertDownload(
  db: Executor,
  download: Insertable<Database['downloads']>,
): Promise<void> {
  await db.insertInto('downloads').values(download).execute()
}

type Begun = { shareLinkId: string; buildId: string; address: string; userAgent: string | null }

/** The newest download of a build that this visitor took by the link in the last seconds, and how many are left of them. */
export async function findBegunDownload(
  db: Executor,
  { shareLinkId, buildId, ...by }: Begun,
  seconds: number,
) {
  const left = sql<number>`floor(extract(epoch from created_at - now()) + ${seconds}::int)::int`
  return db
    .selectFrom('downloads')
    .select(left.as('seconds_left'))
    .where('share_link_id', '=', shareLinkId)
    .where('build_id', '=', buildId)
    .where(sql<boolean>`address = ${by.address}::inet and user_agent is not distinct from ${by.userAgent}`)
    .where('created_at', '>', sql<string>`now() - make_interval(secs => ${seconds}::int - 1)`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const rowsOf = (db: Executor) =>
  db
    .selectFrom('downloads')
    .leftJoin('api_keys', 'api_keys.id', 'downloads.api_key_id')
    .select([
      'downloads.id',
      'downloads.way',
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

export type DownloadRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

export async function listDownloadsPage(
  db: Executor,
  buildId: string,
  direction: 'asc' | 'desc',
  page: Page,
) {
  // by the index alone: of the downloads that a page skips nothing is read
  const picked = db
    .selectFrom('downloads')
    .select('id')
    .where('build_id', '=', buildId)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
  const [rows, counted] = await Promise.all([
    rowsOf(db)
      .where(sql<boolean>`downloads.id = any(array(${picked}))`)
      .orderBy('downloads.created_at', direction)
      .orderBy('downloads.id', direction)
      .execute(),
    db
      .selectFrom('downloads')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('build_id', '=', buildId)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}
