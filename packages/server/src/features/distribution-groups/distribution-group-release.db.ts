import { sql } from 'kysely'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'
import { getsEmails, isEligible } from './distribution-group-member.db.ts'

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

/**
 * Lists the releases that were added to active groups whose members are notified when the releases are published, with
 * the groups, ordered by when they were added. With `groupId`, lists only those of one group.
 */
export async function listSharesToNotify(
  db: Executor,
  { releaseIds, groupId }: { releaseIds: string[]; groupId?: string },
) {
  return db
    .selectFrom('distribution_group_releases as gr')
    .innerJoin('distribution_groups as g', 'g.id', 'gr.distribution_group_id')
    .innerJoin('workspaces', 'workspaces.id', 'g.workspace_id')
    .innerJoin('releases', 'releases.id', 'gr.release_id')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .select([
      'g.id as group_id',
      'g.name as group_name',
      'g.workspace_id',
      'workspaces.name as workspace_name',
      'gr.release_id',
      'releases.title',
      'releases.notes',
      'releases.version_major',
      'releases.version_minor',
      'releases.version_patch',
      'releases.version_extra',
      'releases.version_meta',
      'applications.name as application_name',
    ])
    .where(sql<boolean>`gr.release_id = any(${releaseIds})`)
    .$if(groupId !== undefined, (query) => query.where('g.id', '=', groupId ?? ''))
    .where('gr.notify', '=', true)
    .where('g.is_active', '=', true)
    .orderBy('gr.added_at')
    .orderBy('g.id')
    .orderBy('gr.release_id')
    .execute()
}

export type ShareToNotify = Awaited<ReturnType<typeof listSharesToNotify>>[number]

/**
 * Lists the groups to which the release was added, by name, with the number of members who have access to it and how
 * many of them have been notified.
 */
export async function listGroupsOfRelease(db: Executor, releaseId: string) {
  const { rows } = await sql<{
    id: string
    name: string
    is_active: boolean
    notify: boolean
    added_at: string
    tester_count: number
    notified_count: number
  }>`
    select g.id, g.name, g.is_active, gr.notify, gr.added_at, members.*
    from distribution_group_releases gr join distribution_groups g on g.id = gr.distribution_group_id
    cross join lateral (
      select count(*) as tester_count, count(n.id) as notified_count
      from distribution_group_members m
      left join release_notifications n on n.release_id = ${releaseId} and n.email = lower(m.email)
      where m.distribution_group_id = g.id and ${isEligible}
    ) as members
    where gr.release_id = ${releaseId} order by ${nameOrder('g.name')}, g.id`.execute(db)
  return rows
}

/** Counts the people who are notified when the release is published. */
export async function countPeopleToNotify(db: Executor, releaseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct lower(m.email)) as count
    from distribution_group_releases gr join distribution_groups g on g.id = gr.distribution_group_id
    join distribution_group_members m on m.distribution_group_id = g.id
    where gr.release_id = ${releaseId} and gr.notify and g.is_active and ${getsEmails} and ${isEligible}
      and not exists (select from release_notifications n
        where n.release_id = ${releaseId} and n.email = lower(m.email))`.execute(db)
  return rows[0]?.count ?? 0
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
