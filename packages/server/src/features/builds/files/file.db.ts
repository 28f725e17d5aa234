import { sql, type Insertable } from 'kysely'
import { sizeText } from '../../../database/expressions.ts'
import { computed, jsonObject } from '../../../database/json-text.ts'
import type { Database } from '../../../database/tables.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { uuidPattern } from '../../../lib/ids.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import { toSealedObject } from '../../../storage/objects/stored-objects.db.ts'
import { File, filetypeOf, type FileRow } from './file.ts'

const uuid = new RegExp(uuidPattern, 'i')

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

const filetype = computed(
  [sql.ref<FileRow['role']>('files.role'), sql.ref<string>('files.filetype')],
  ([role, identifier]) => filetypeOf({ role, filetype: identifier }),
)

/** The JSON of a file, for use in subqueries. */
export const selectFileJson = jsonObject(
  File,
  'files',
  { size_string: sizeText(sql.ref('files.size_bytes')), filetype, expansion_filetype: filetype },
  sql<boolean>`files.role = 'expansion'`,
)

/** Returns the columns that describe the bytes of a file. */
export const contentColumns = ({ key, sizeBytes, md5, sha256, sha1, sha512 }: SealedObject) => ({
  size_bytes: sizeBytes,
  checksum_md5: md5 ?? null,
  checksum_sha256: sha256 ?? null,
  checksum_sha1: sha1 ?? null,
  checksum_sha512: sha512 ?? null,
  object_key: key,
})

export async function insertFile(tx: Tx, file: Insertable<Database['files']>): Promise<void> {
  await tx.insertInto('files').values(file).execute()
}

export async function findFile(db: Executor, id: string) {
  return db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Returns the stored objects of files of builds of an application by the ID of the file, without those that are in the
 * trash or do not exist.
 */
export async function listSourceFiles(
  db: Executor,
  applicationId: string,
  ids: string[],
): Promise<Map<string, SealedObject>> {
  const rows = await db
    .selectFrom('files')
    .innerJoin('builds', 'builds.id', 'files.build_id')
    .innerJoin('stored_objects', 'stored_objects.key', 'files.object_key')
    .select([
      'files.id',
      'stored_objects.key',
      'stored_objects.size_bytes',
      'stored_objects.segments',
      'stored_objects.ranges',
    ])
    .where(sql<boolean>`files.id = any(${ids.filter((id) => uuid.test(id))}::uuid[])`)
    .where('builds.application_id', '=', applicationId)
    .where('builds.deleted_at', 'is', null)
    .where('stored_objects.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, toSealedObject(row)]))
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
