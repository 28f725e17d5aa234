import type { Executor, Tx } from '../../database/transaction.ts'

export type DescendantKey = {
  id: string
  name: string
  kind: string
  scopes: string[]
  application_id: string | null
  isValid: boolean
}

/**
 * Locks and returns the keys that the given key or user created in the workspace, directly or through other keys.
 * Includes revoked and expired keys, because keys that they created may still be valid. The caller must lock the given
 * key or membership first, so that no further keys are created.
 */
export async function listLockedDescendantKeys(
  tx: Tx,
  workspaceId: string,
  creatorId: string,
): Promise<DescendantKey[]> {
  const found: DescendantKey[] = []
  for (let creators = [creatorId]; creators.length > 0;) {
    const rows = await tx
      .selectFrom('api_keys')
      .select((eb) => [
        'id',
        'name',
        'kind',
        'scopes',
        'application_id',
        eb
          .and([
            eb('revoked_at', 'is', null),
            eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<string>('now'))]),
          ])
          .$castTo<boolean>()
          .as('isValid'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('created_by', '=', (eb) => eb.fn.any(eb.val(creators)))
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    found.push(...rows)
    creators = rows.map(({ id }) => id)
  }
  return found
}

export async function revokeApiKeys(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn<string>('now') }))
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .where('revoked_at', 'is', null)
    .execute()
}

/** Lists the unexpired trusted publishers that these keys and users created in the workspace. */
export async function listPublishersCreatedBy(db: Executor, workspaceId: string, creatorIds: string[]) {
  return db
    .selectFrom('trusted_publishers')
    .select(['id', 'name', 'application_id'])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', '=', (eb) => eb.fn.any(eb.val(creatorIds)))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', eb.fn<string>('now'))]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
