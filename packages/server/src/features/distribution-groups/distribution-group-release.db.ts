import { sql } from 'kysely'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { notFound } from '../../lib/problem.ts'

/** Selects the releases of a group, except those whose application is in the trash. */
const selectReleasesOf = (db: Executor, groupId: string) =>
  db
    .selectFrom('distribution_group_releases as gr')
    .innerJoin('releases', 'releases.id', 'gr.release_id')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .where('gr.distribution_group_id', '=', groupId)
    .where('applications.deleted_at', 'is', null)

const selectGroupReleaseColumns = (db: Executor, groupId: string) =>
  selectReleasesOf(db, groupId).select([
    'releases.id',
    'releases.application_id',
    'applications.name as application_name',
    'releases.title',
    'releases.version_major',
    'releases.version_minor',
    'releases.version_patch',
    'releases.version_extra',
    'releases.version_meta',
    'releases.status',
    'gr.notify',
    'gr.added_at',
  ])

export type GroupReleaseRow = Awaited<
  ReturnType<ReturnType<typeof selectGroupReleaseColumns>['executeTakeFirstOrThrow']>
>

const sortKeys = { added_at: sql`gr.added_at`, title: nameOrder('releases.title') }

export type GroupReleaseOrder = { sortBy: keyof typeof sortKeys; direction: 'asc' | 'desc' }

export async function listGroupReleasesPage(
  db: Executor,
  groupId: string,
  { sortBy, direction }: GroupReleaseOrder,
  page: Page,
) {
  return listWithTotal(
    selectGroupReleaseColumns(db, groupId)
      .orderBy(sortKeys[sortBy], direction)
      .orderBy('gr.release_id', direction)
      .limit(page.limit)
      .offset(page.offset),
    selectReleasesOf(db, groupId),
  )
}

export async function requireGroupRelease(
  db: Executor,
  groupId: string,
  releaseId: string,
): Promise<GroupReleaseRow> {
  return selectGroupReleaseColumns(db, groupId)
    .where('gr.release_id', '=', releaseId)
    .executeTakeFirstOrThrow(notFound)
}

/** Lists the active groups whose members are notified when the release is published, ordered by when it was added. */
export async function listGroupsToNotify(db: Executor, releaseId: string) {
  return db
    .selectFrom('distribution_groups as g')
    .innerJoin('distribution_group_releases as gr', 'gr.distribution_group_id', 'g.id')
    .select(['g.id', 'g.workspace_id', 'g.name'])
    .where('gr.release_id', '=', releaseId)
    .where('gr.notify', '=', true)
    .where('g.is_active', '=', true)
    .orderBy('gr.added_at')
    .orderBy('g.id')
    .execute()
}

/** Adds the release to the group. If the group already has it, only changes `notify`. */
export async function upsertGroupRelease(
  tx: Tx,
  row: { distribution_group_id: string; release_id: string; workspace_id: string; notify: boolean },
): Promise<void> {
  await tx
    .insertInto('distribution_group_releases')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['distribution_group_id', 'release_id']).doUpdateSet({ notify: row.notify }),
    )
    .execute()
}

/** Removes the release from the group; returns false if it was not in the group. */
export async function deleteGroupRelease(tx: Tx, groupId: string, releaseId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('distribution_group_releases')
    .where('distribution_group_id', '=', groupId)
    .where('release_id', '=', releaseId)
    .returning('release_id')
    .executeTakeFirst()
  return row !== undefined
}
