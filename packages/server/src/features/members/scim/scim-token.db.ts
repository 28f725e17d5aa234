import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { uuidV7 } from '../../../lib/ids.ts'

const columns = ['id', 'prefix', 'created_by', 'created_at', 'last_used_at'] as const

/** Returns the token of the workspace without its hash. */
export async function findScimToken(db: Executor, workspaceId: string) {
  return db
    .selectFrom('scim_tokens')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

/** Returns the number of people whom the identity provider manages. */
export async function countScimUsers(db: Executor, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('scim_users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

/** Saves the token of the workspace, which replaces the previous one. */
export async function saveScimToken(
  tx: Tx,
  workspaceId: string,
  token: { prefix: string; sha256: Buffer; createdBy: string },
) {
  const fields = {
    id: uuidV7(),
    prefix: token.prefix,
    token_sha256: token.sha256,
    created_by: token.createdBy,
    created_at: sql<string>`now()`,
    last_used_at: null,
  }
  return tx
    .insertInto('scim_tokens')
    .values({ workspace_id: workspaceId, ...fields })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(fields))
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Deletes the token of the workspace and returns its prefix, if there is one. */
export async function removeScimToken(tx: Tx, workspaceId: string) {
  return tx
    .deleteFrom('scim_tokens')
    .where('workspace_id', '=', workspaceId)
    .returning(['id', 'prefix'])
    .executeTakeFirst()
}

export type ScimCaller = { id: string; workspaceId: string }

/** Returns the tokens with these hashes, and whether their last recorded use is more than a minute ago. */
export async function findScimTokens(db: Executor, hashes: Buffer[]) {
  return db
    .selectFrom('scim_tokens')
    .select([
      'id',
      'workspace_id',
      'token_sha256',
      sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('is_use_outdated'),
    ])
    .where('token_sha256', '=', (eb) => eb.fn.any(eb.val(hashes)))
    .execute()
}

export async function touchScimToken(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Makes the changes of an identity provider wait for each other, and a new token for all of them. Returns whether the token
 * is still valid.
 */
export async function lockScimToken(tx: Tx, { id }: ScimCaller): Promise<boolean> {
  const row = await tx
    .selectFrom('scim_tokens')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}
