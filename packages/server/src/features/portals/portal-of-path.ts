import type { Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { requirePortal } from './portal.db.ts'

/** The `visible` step of every endpoint below one portal. */
export async function requirePortalOfPath(call: { db: Db; actor: Actor; params: { portal_id: string } }) {
  return { portal: await requirePortal(call.db, call.actor.workspaceId, call.params.portal_id) }
}
