import { sql } from 'kysely'
import { keepUpdatedAt } from '../../database/keep-updated-at.ts'
import { inTransaction, type Db, type Executor, type Tx } from '../../database/transaction.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import { insertFirstDefaultStreams } from '../streams/default-stream.db.ts'

async function findFirstWorkspaceId(db: Executor): Promise<string | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/**
 * Returns the first workspace, which is created if the database is new. Nodes that start concurrently create only one
 * workspace.
 */
export async function ensureFirstWorkspace(db: Db): Promise<{ id: string; isNew: boolean }> {
  const found = await findFirstWorkspaceId(db)
  if (found !== undefined) return { id: found, isNew: false }
  return inTransaction(db, async (tx) => {
    await lockWorkspaces(tx)
    const existing = await findFirstWorkspaceId(tx)
    if (existing !== undefined) return { id: existing, isNew: false }
    const id = shortId(12)
    await tx.insertInto('workspaces').values({ id, name: 'Quayside' }).execute()
    await insertFirstDefaultStreams(tx, id)
    return { id, isNew: true }
  })
}

async function lockWorkspaces(tx: Tx): Promise<void> {
  // An advisory lock blocks only other starting nodes, while a table lock would also block readers.
  await tx.selectNoFrom((eb) => eb.fn('pg_advisory_xact_lock', [eb.val(4400_0001)]).as('locked')).execute()
}

export async function requireLockedWorkspace(tx: Tx, id: string) {
  return tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the first workspace, locked until the end of the transaction. */
export async function requireFirstLockedWorkspace(tx: Tx) {
  return tx
    .selectFrom('workspaces')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export async function saveWorkspace(
  tx: Tx,
  id: string,
  changes: {
    name?: string
    subdomain?: string | null
    custom_targets_enabled?: boolean
    logo_object_key?: string | null
  },
) {
  return tx
    .updateTable('workspaces')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Gives the workspace the settings of an exported one. Keeps the subdomain if another workspace has the exported one.
 */
export async function saveImportedWorkspace(tx: Tx, id: string, exported: object): Promise<void> {
  await keepUpdatedAt(tx)
  await sql`
    update workspaces
    set name = exported.name, logo_object_key = exported.logo_object_key,
      custom_targets_enabled = exported.custom_targets_enabled,
      created_at = exported.created_at, updated_at = exported.updated_at,
      subdomain = case when exists (
        select from workspaces as other
        where other.id <> workspaces.id and exported.subdomain in (other.subdomain, other.id))
        then workspaces.subdomain else exported.subdomain end
    from json_populate_record(null::workspaces, ${JSON.stringify(exported)}::json) as exported
    where workspaces.id = ${id}`.execute(tx)
}
