import { sql } from 'kysely'
import type { Executor, Tx } from './transaction.ts'

/** Returns the value that identifies this database's master secret; undefined before the first start. */
export async function findSecretVerifier(db: Executor): Promise<string | undefined> {
  const row = await db.selectFrom('master_secret').select('verifier').executeTakeFirst()
  return row?.verifier
}

/** Stores the verifier if there is none, and returns the stored verifier. Locks its row until the transaction ends. */
export async function claimSecretVerifier(tx: Tx, verifier: string): Promise<string> {
  await tx
    .insertInto('master_secret')
    .values({ verifier })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx.selectFrom('master_secret').select('verifier').forUpdate().executeTakeFirstOrThrow()
  return row.verifier
}

export async function replaceSecretVerifier(tx: Tx, verifier: string): Promise<void> {
  await tx
    .updateTable('master_secret')
    .set({ verifier, changed_at: sql<string>`now()` })
    .execute()
}
