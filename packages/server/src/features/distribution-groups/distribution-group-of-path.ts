import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { requireDistributionGroup } from './distribution-group.db.ts'

/** The `visible` step of every endpoint below one distribution group. */
export async function requireDistributionGroupOfPath(call: {
  db: Db
  actor: Actor
  params: { distribution_group_id: string }
}) {
  const { db, actor, params } = call
  return { group: await requireDistributionGroup(db, actor.workspaceId, params.distribution_group_id) }
}
