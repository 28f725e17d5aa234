import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents, type Initiator } from '../../events/record-event.ts'
import {
  listLockedDescendantKeys,
  listPublishersCreatedBy,
  revokeApiKeys,
  type DescendantKey,
} from './key-descendants.db.ts'

export type RevokedKey = Omit<DescendantKey, 'isValid'>

type Descendants = {
  /** The valid keys. */
  keys: DescendantKey[]
  publishers: Awaited<ReturnType<typeof listPublishersCreatedBy>>
  /** The given key or user and all keys that it created, including those that are no longer valid. */
  creatorIds: string[]
}

const batchSize = 500

/**
 * Locks and returns the valid keys and trusted publishers that a key or user created in the workspace, directly or
 * through other keys. The caller must lock the key or membership first.
 */
export async function listLockedDescendants(
  tx: Tx,
  workspaceId: string,
  creatorId: string,
): Promise<Descendants> {
  const all = await listLockedDescendantKeys(tx, workspaceId, creatorId)
  const creatorIds = [creatorId, ...all.map(({ id }) => id)]
  const publishers = await listPublishersCreatedBy(tx, workspaceId, creatorIds)
  return { keys: all.filter(({ isValid }) => isValid), publishers, creatorIds }
}

/** Revokes the keys and deletes the trusted publishers. */
export async function revokeDescendants(
  tx: Tx,
  by: Initiator & Pick<Deps, 'dependents'>,
  { keys, publishers }: Pick<Descendants, 'keys' | 'publishers'>,
): Promise<void> {
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    await revokeApiKeys(
      tx,
      batch.map(({ id }) => id),
    )
    await recordEvents(tx, by, batch.map(revocation))
  }
  if (publishers.length > 0) await by.dependents.deleteTrustedPublishers(tx, by, publishers)
}

/**
 * Revokes the keys and deletes the trusted publishers that a member created. The caller must have locked the membership.
 * Returns the number of each, and the IDs of the member and of the keys.
 */
export async function revokeKeysOfMember(
  tx: Tx,
  by: Initiator & Pick<Deps, 'dependents'>,
  userId: string,
): Promise<{ keys: number; publishers: number; creatorIds: string[] }> {
  const created = await listLockedDescendants(tx, by.actor.workspaceId, userId)
  await revokeDescendants(tx, by, created)
  return { keys: created.keys.length, publishers: created.publishers.length, creatorIds: created.creatorIds }
}

/** Returns the audit entry of a revocation. */
export const revocation = ({ id, application_id, name, kind, scopes }: RevokedKey) => ({
  action: 'api_key.revoked' as const,
  applicationId: application_id,
  subject: { type: 'api_key' as const, id },
  before: { name, kind, scopes },
})
