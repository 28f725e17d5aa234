import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'

type Claim = { callerId: string; key: string; requestSha256: Buffer }
type Name = Pick<Claim, 'callerId' | 'key'>

/** True for the first of its day; whoever comes while it runs waits here until its transaction has ended. */
export async function insertIdempotencyKey(tx: Tx, claim: Claim): Promise<boolean> {
  const row = await tx
    .insertInto('idempotency_keys')
    .values({ caller_id: claim.callerId, key: claim.key, request_sha256: claim.requestSha256 })
    .onConflict((conflict) =>
      conflict
        .columns(['caller_id', 'key'])
        .doUpdateSet({
          request_sha256: claim.requestSha256,
          status: null,
          answer_sealed: null,
          created_at: sql<string>`now()`,
        })
        .where('idempotency_keys.created_at', '<=', sql<string>`now() - interval '24 hours'`),
    )
    .returning('key')
    .executeTakeFirst()
  return row !== undefined
}

export async function findFirstAnswer(tx: Tx, { callerId, key }: Name) {
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'status', 'answer_sealed'])
    .where('caller_id', '=', callerId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function updateFirstAnswer(
  tx: Tx,
  { callerId, key }: Name,
  answer: { status: number; sealed: Buffer },
): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: answer.status, answer_sealed: answer.sealed })
    .where('caller_id', '=', callerId)
    .where('key', '=', key)
    .execute()
}

/** Keys whose day is over and that nobody uses anew at this moment; answers how many went. */
export async function deleteSomeOldKeys(db: Executor, most: number): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (caller_id, key) in (
      select caller_id, key from idempotency_keys where created_at <= now() - interval '24 hours'
      limit ${most} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
