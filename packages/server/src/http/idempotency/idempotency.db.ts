import { sql } from 'kysely'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { type Db, type Executor, inTransaction, type Tx } from '../../database/transaction.ts'

type Claim = { callerId: string; key: string; requestSha256: Buffer }
type ClaimId = Pick<Claim, 'callerId' | 'key'>

/**
 * Claims the key. Returns false if it was used in the last 24 hours. Waits for concurrent transactions that claim the
 * same key.
 */
export async function claimIdempotencyKey(tx: Tx, claim: Claim): Promise<boolean> {
  const row = await tx
    .insertInto('idempotency_keys')
    .values({ caller_id: claim.callerId, key: claim.key, request_sha256: claim.requestSha256 })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_id', 'key'])
        .doUpdateSet({
          request_sha256: claim.requestSha256,
          status: null,
          sealed_response: null,
          created_at: sql<string>`now()`,
        })
        .where('idempotency_keys.created_at', '<=', sql<string>`now() - interval '24 hours'`),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the response that was stored for the key in the last 24 hours. */
export async function findStoredResponse(db: Executor, { callerId, key }: ClaimId) {
  return db
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'sealed_response'])
    .where('caller_id', '=', callerId)
    .where('key', '=', key)
    .where('created_at', '>', sql<string>`now() - interval '24 hours'`)
    .executeTakeFirst()
}

export async function storeResponse(
  tx: Tx,
  { callerId, key }: ClaimId,
  response: { status: number; sealed: Buffer },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: response.status, sealed_response: response.sealed })
    .where('caller_id', '=', callerId)
    .where('key', '=', key)
    .execute()
}

/**
 * Deletes up to `limit` keys older than `days` days, except for keys that a request is replacing. Returns the number
 * deleted.
 */
export async function deleteSomeOldKeys(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (caller_id, key) in (
      select caller_id, key from idempotency_keys where created_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Returns the encryption context that binds a sealed response to its key. */
export const responseContext = ({ callerId, key }: ClaimId): string =>
  `idempotent response ${callerId} ${key}`

const resealBatchSize = 500

/** Re-encrypts the responses that were sealed with the previous master secret. Returns the number of responses. */
export async function resealResponses(db: Db, box: SecretBox): Promise<number> {
  let total = 0
  for (let after: ClaimId = { callerId: '', key: '' }; ;) {
    const { last, count } = await inTransaction(db, async (tx) => {
      let count = 0
      const rows = await tx
        .selectFrom('idempotency_keys')
        .select(['caller_id as callerId', 'key', 'sealed_response'])
        .where(sql<boolean>`(caller_id, key) > (${after.callerId}, ${after.key})`)
        .where('sealed_response', 'is not', null)
        .orderBy('caller_id')
        .orderBy('key')
        .limit(resealBatchSize)
        .forUpdate()
        .execute()
      for (const { sealed_response: response, ...id } of rows) {
        const sealed = response === null ? undefined : box.reseal(response, responseContext(id))
        if (sealed === undefined) continue
        count++
        await tx
          .updateTable('idempotency_keys')
          .set({ sealed_response: sealed })
          .where('caller_id', '=', id.callerId)
          .where('key', '=', id.key)
          .execute()
      }
      return { last: rows.at(-1), count }
    })
    total += count
    if (last === undefined) return total
    after = last
  }
}
