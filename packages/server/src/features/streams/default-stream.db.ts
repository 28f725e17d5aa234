import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { StreamFields } from './stream.ts'

const columns = ['id', 'name', 'description', 'retention_days', 'created_at', 'updated_at'] as const

const firstStreams = [
  { name: 'default', description: 'Everyday builds', retention_days: null },
  { name: 'nightlies', description: 'Nightly builds', retention_days: 30 },
  { name: 'stable', description: 'Builds for everyone', retention_days: null },
]

export async function insertFirstDefaultStreams(tx: Tx, workspaceId: string): Promise<void> {
  const rows = firstStreams.map((stream) => ({ id: uuidV7(), workspace_id: workspaceId, ...stream }))
  await tx.insertInto('default_streams').values(rows).execute()
}

export async function listDefaultStreamsOf(db: Executor, workspaceId: string) {
  return db
    .selectFrom('default_streams')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function requireDefaultStream(db: Executor, workspaceId: string, id: string) {
  return db
    .selectFrom('default_streams')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where(sql`id::text`, '=', id)
    .executeTakeFirstOrThrow(notFound)
}

export async function requireLockedDefaultStream(tx: Tx, id: string) {
  return tx
    .selectFrom('default_streams')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export async function insertDefaultStream(tx: Tx, workspaceId: string, fields: StreamFields) {
  return tx
    .insertInto('default_streams')
    .values({ id: uuidV7(), workspace_id: workspaceId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function saveDefaultStream(tx: Tx, id: string, changes: Partial<StreamFields>) {
  return tx
    .updateTable('default_streams')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function removeDefaultStream(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('default_streams').where('id', '=', id).execute()
}

/** Deletes all default streams of a workspace, before those of an export are inserted. */
export async function removeDefaultStreamsOf(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('default_streams').where('workspace_id', '=', workspaceId).execute()
}
