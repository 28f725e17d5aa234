import { createHash } from 'node:crypto'
import type { Executor, Tx } from '../database/transaction.ts'

export const hashSetupToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Opens a set-up link, which replaces any other link. */
export async function saveSetupLink(db: Executor, tokenSha256: Buffer): Promise<void> {
  await db
    .insertInto('setup_links')
    .values({ token_sha256: tokenSha256 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ token_sha256: tokenSha256 }))
    .execute()
}

/** Returns whether this set-up link is open. */
export async function findSetupLink(db: Executor, tokenSha256: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('setup_links')
    .select('id')
    .where('token_sha256', '=', tokenSha256)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether any set-up link is open. */
export async function findAnySetupLink(db: Executor): Promise<boolean> {
  return (await db.selectFrom('setup_links').select('id').executeTakeFirst()) !== undefined
}

/** Ends the set-up link; returns false if it is no longer open. */
export async function endSetupLink(tx: Tx, tokenSha256: Buffer): Promise<boolean> {
  const result = await tx.deleteFrom('setup_links').where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function endAnySetupLink(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}
