import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { notFound } from '../../lib/problem.ts'

/** Releases of a group; while their application is in the trash they are not there. */
const releasesOf = (db: Executor, groupId: string) =>
  db
    .selectFrom('distribution_group_releases as gr')
    .innerJoin('releases', 'releases.id', 'gr.release_id')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .where('gr.distribution_group_id', '=', groupId)
    .where('applications.deleted_at', 'is', null)

const selectGroupReleases = (db: Executor, groupId: string) =>
  releasesOf(db, groupId).select([
    'releases.id',
    'releases.application_id',
    'applications.name as application_name',
    'releases.title',
    'releases.version_major',
    'releases.version_minor',
    'releases.version_patch',
    'releases.version_extra',
    'releases.version_meta',
    'gr.added_at',
  ])

export type GroupReleaseRow = Awaited<
  ReturnType<ReturnType<typeof selectGroupReleases>['executeTakeFirstOrThrow']>
>

const sortKeys = { added_at: sql`gr.added_at`, title: sql`lower(releases.title)` }

export type GroupReleaseOrder = { sortBy: keyof typeof sortKeys; direction: 'asc' | 'desc' }

export async function listGroupReleasesPage(
  db: Executor,
  groupId: string,
  { sortBy, direction }: GroupReleaseOrder,
  page: Page,
) {
  const [rows, counted] = await Promise.all([
    selectGroupReleases(db, groupId)
      .orderBy(sortKeys[sortBy], direction)
      .orderBy('gr.release_id', direction)
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    releasesOf(db, groupId)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}

export async function requireGroupRelease(
  db: Executor,
  groupId: string,
  releaseId: string,
): Promise<GroupReleaseRow> {
  const row = await selectGroupReleases(db, groupId).where('gr.release_id', '=', releaseId).executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** False where the release is in the group already. */
export async function insertGroupRelease(
  tx: Tx,
  row: { distribution_group_id: string; release_id: string; workspace_id: string },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('distribution_group_releases')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('release_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False where the release is not in the group. */
export async function deleteGroupRelease(tx: Tx, groupId: string, releaseId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('distribution_group_releases')
    .where('distribution_group_id', '=', groupId)
    .where('release_id', '=', releaseId)
    .returning('release_id')
    .executeTakeFirst()
  return row !== undefined
}
