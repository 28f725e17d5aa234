import { sql, type Insertable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { requireBuildOfPath } from './build.db.ts'

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

/** Loads the build and the metadata artifact that the path identifies; throws 404 if either does not exist. */
export async function requireMetadataArtifactOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; build_id: string; artifact_id: string }
}) {
  const { build } = await requireBuildOfPath(call)
  const artifacts = await listMetadataArtifacts(call.db, build.id)
  const artifact = artifacts.find(({ id }) => id === call.params.artifact_id)
  if (artifact === undefined) throw notFound()
  return { build, artifact }
}

export async function insertMetadataArtifact(tx: Tx, artifact: Insertable<Database['metadata_artifacts']>) {
  await tx.insertInto('metadata_artifacts').values(artifact).execute()
}

/** Deletes the artifact; returns false if it was already deleted. */
export async function removeMetadataArtifact(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('metadata_artifacts')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
