import { sql, type Updateable } from 'kysely'
import { containsPattern, nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

const testerCount = sql<number>`(select count(*) from distribution_group_members m
  where m.distribution_group_id = distribution_groups.id)`

function selectGroups(db: Executor, workspaceId: string) {
  return db
    .selectFrom('distribution_groups')
    .where('workspace_id', '=', workspaceId)
    .selectAll()
    .select(testerCount.as('tester_count'))
}

export type DistributionGroupRow = Awaited<
  ReturnType<ReturnType<typeof selectGroups>['executeTakeFirstOrThrow']>
>

export async function requireDistributionGroup(
  db: Executor,
  workspaceId: string,
  id: string,
): Promise<DistributionGroupRow> {
  return selectGroups(db, workspaceId).where('id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Loads the distribution group that the path identifies; throws 404 if it does not exist. */
export async function requireDistributionGroupOfPath(call: {
  db: Db
  actor: Actor
  params: { distribution_group_id: string }
}) {
  const { db, actor, params } = call
  return { group: await requireDistributionGroup(db, actor.workspaceId, params.distribution_group_id) }
}

/**
 * Locks the group until the end of the transaction, to serialize changes, and returns it; throws 404 if it does not
 * exist.
 */
export async function requireLockedDistributionGroup(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<DistributionGroupRow> {
  await tx
    .selectFrom('distribution_groups')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .execute()
  return requireDistributionGroup(tx, workspaceId, id)
}

const sortKeys = { name: nameOrder('name'), created_at: sql`created_at`, updated_at: sql`updated_at` }

export type GroupFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listDistributionGroupsPage(
  db: Executor,
  workspaceId: string,
  { search, sortBy, direction }: GroupFilter,
  page: Page,
) {
  let matching = db.selectFrom('distribution_groups').where('workspace_id', '=', workspaceId)
  if (search !== undefined) {
    const pattern = containsPattern(search)
    matching = matching.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern), eb('id', 'ilike', pattern)]),
    )
  }
  const order = sql`${sortKeys[sortBy]} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  // Selects the page first, so that members are counted only for the groups on it.
  const pageIds = matching.select('id').orderBy(order).limit(page.limit).offset(page.offset)
  return listWithTotal(
    selectGroups(db, workspaceId)
      .where(sql<boolean>`id = any(array(${pageIds}))`)
      .orderBy(order),
    matching,
  )
}

type GroupFields = {
  name: string
  description: string | null
  is_active: boolean
  type: string
  digest: string
  feedback_enabled: boolean
  icon_type: string
  icon_emoji_code: string | null
  icon_set_value: string | null
}

export async function insertDistributionGroup(
  tx: Tx,
  workspaceId: string,
  fields: GroupFields,
): Promise<DistributionGroupRow> {
  const id = shortId(10)
  await tx
    .insertInto('distribution_groups')
    .values({ id, workspace_id: workspaceId, ...fields })
    .execute()
  return requireDistributionGroup(tx, workspaceId, id)
}

export async function saveDistributionGroup(
  tx: Tx,
  id: string,
  changes: Updateable<Database['distribution_groups']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await tx.updateTable('distribution_groups').set(changes).where('id', '=', id).execute()
}

/** Sets `updated_at` after a change to rows in other tables, such as the members or releases of the group. */
export async function markDistributionGroupUpdated(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('distribution_groups')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

export async function removeDistributionGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('distribution_groups').where('id', '=', id).execute()
}
