import { sql, type Insertable } from 'kysely'
import { metadataFiletypeResource } from '../../../catalog/metadata-filetypes.ts'
import { sizeText } from '../../../database/expressions.ts'
import { computed, jsonObject } from '../../../database/json-text.ts'
import type { Database } from '../../../database/tables.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import { MetadataArtifact } from './metadata-artifact.ts'

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

/** The JSON of an artifact, for use in subqueries. */
export const selectArtifactJson = jsonObject(MetadataArtifact, 'metadata_artifacts', {
  size_string: sizeText(sql.ref('metadata_artifacts.size_bytes')),
  metadata_filetype: computed([sql.ref<string>('metadata_artifacts.metadata_filetype')], ([identifier]) =>
    metadataFiletypeResource(identifier),
  ),
})

export async function insertMetadataArtifact(tx: Tx, artifact: Insertable<Database['metadata_artifacts']>) {
  await tx.insertInto('metadata_artifacts').values(artifact).execute()
}

export async function findMetadataArtifact(db: Executor, id: string) {
  return db.selectFrom('metadata_artifacts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Saves what was read from the artifact; returns false if it was deleted. */
export async function saveArtifactInspection(
  tx: Tx,
  id: string,
  { format, version }: { format: string | null; version: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('metadata_artifacts')
    .set({ format, inspection_version: version })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function saveArtifactChecksums(
  db: Executor,
  id: string,
  { md5, sha256, sha1, sha512 }: AllDigests,
): Promise<void> {
  await db
    .updateTable('metadata_artifacts')
    .set({
      checksum_md5: md5,
      checksum_sha256: sha256,
      checksum_sha1: sha1,
      checksum_sha512: sha512,
      checksum_error: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Records why the checksums of an artifact cannot be computed. */
export async function saveArtifactChecksumError(db: Executor, id: string, error: string): Promise<void> {
  await db.updateTable('metadata_artifacts').set({ checksum_error: error }).where('id', '=', id).execute()
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
