import { sql, type Insertable } from 'kysely'
import type { Database } from '../../../database/tables.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import type { FileRow } from './file.ts'

/** Lists the files of a build, starting with the primary file. */
export const listFiles = (db: Executor, buildId: string) => listFilesOfBuilds(db, [buildId])

/** Lists the files of several builds, starting with the primary files. */
export async function listFilesOfBuilds(db: Executor, buildIds: string[]) {
  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where(sql<boolean>`build_id = any(${buildIds})`)
    .orderBy((eb) => eb.case('role').when('primary').then(0).when('expansion').then(1).else(2).end())
    .execute()
  return rows.map((row) => ({ ...row, role: row.role as FileRow['role'] }))
}

export async function insertFile(tx: Tx, file: Insertable<Database['files']>): Promise<void> {
  await tx.insertInto('files').values(file).execute()
}

export async function findFile(db: Executor, id: string) {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function saveFileChecksums(
  db: Executor,
  id: string,
  { md5, sha256, sha1, sha512 }: AllDigests,
): Promise<void> {
  await db
    .updateTable('files')
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

/** Records why the checksums of a file cannot be computed. */
export async function saveChecksumError(db: Executor, id: string, error: string): Promise<void> {
  await db.updateTable('files').set({ checksum_error: error }).where('id', '=', id).execute()
}
