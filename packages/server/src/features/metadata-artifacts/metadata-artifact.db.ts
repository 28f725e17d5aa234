import { sql, type Insertable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'

export const listMetadataArtifacts = (db: Executor, buildId: string) =>
  listMetadataArtifactsOfBuilds(db, [buildId])

export async function listMetadataArtifactsOfBuilds(db: Executor, buildIds: string[]) {
  return db
    .selectFrom('metadata_artifacts')
    .selectAll()
    .where(sql<boolean>`build_id = any(${buildIds})`)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function requireMetadataArtifact(db: Executor, buildId: string, id: string) {
  const rows = await listMetadataArtifacts(db, buildId)
  const row = rows.find((artifact) => artifact.id === id)
  if (row === undefined) throw notFound()
  return row
}

export async function insertMetadataArtifact(tx: Tx, artifact: Insertable<Database['metadata_artifacts']>) {
  await tx.insertInto('metadata_artifacts').values(artifact).execute()
}

/** False when it was deleted already. */
export async function deleteMetadataArtifact(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('metadata_artifacts')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
