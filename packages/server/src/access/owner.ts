import type { Db } from '../database/transaction.ts'
import type { Actor } from '../http/endpoint/actor.ts'
import { requireApplication } from './application.db.ts'

/** The owner of a label, custom target or API key. The owner is the workspace if `applicationId` is null. */
export type OwnerRef = { applicationId: string | null; workspaceId: string }

/**
 * Returns the application in the path, or the caller's workspace if the path contains no application. Used by endpoints
 * that exist under both `/applications/:application_id` and `/workspace`.
 */
export async function requireOwnerOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id?: string }
}): Promise<{ owner: OwnerRef }> {
  const { db, actor, params } = call
  if (params.application_id === undefined)
    return { owner: { workspaceId: actor.workspaceId, applicationId: null } }
  const application = await requireApplication(db, actor, params.application_id)
  return { owner: { workspaceId: application.workspace_id, applicationId: application.id } }
}
