import type { Executor, Tx } from '../../database/transaction.ts'
import { uuidV7 } from '../../lib/ids.ts'

const firstStreams = [
  { name: 'default', description: 'Builds of every day', retention_days: null },
  { name: 'nightlies', description: 'Nightly builds', retention_days: 30 },
  { name: 'stable', description: 'Builds for everyone', retention_days: null },
]

export async function insertFirstDefaultStreams(tx: Tx, workspaceId: string): Promise<void> {
  const rows = firstStreams.map((stream) => ({ id: uuidV7(), workspace_id: workspaceId, ...stream }))
  await tx.insertInto('default_streams').values(rows).execute()
}

export async function listDefaultStreams(db: Executor, workspaceId: string) {
  return db
    .selectFrom('default_streams')
    .select(['id', 'name', 'description', 'retention_days', 'created_at', 'updated_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
