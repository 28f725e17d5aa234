import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import { listReferences } from '../../storage/objects/marked-objects.db.ts'

/** The row that refers to a stored object. Values that a table does not have are null. */
export type ObjectOwner = {
  key: string
  table: string
  /** Empty if the table has no such column. */
  id: string
  filename: string | null
  buildId: string | null
  version: string | null
  application: string | null
  sizeBytes: number | null
  md5: string | null
  sha256: string | null
  sha1: string | null
  sha512: string | null
  checksumError: string | null
}

/** Lists the rows that refer to these objects by the key of the object. An object without an entry has no owner. */
export async function listObjectOwners(
  db: Executor,
  keys: readonly string[],
): Promise<Map<string, ObjectOwner>> {
  // An object can also be a source of others. Its own row has its checksums.
  const owners = (await listOtherOwners(db, keys)).concat(await listOwnersInBuilds(db, keys))
  return new Map(owners.map((owner) => [owner.key, owner]))
}

/** Lists the files, chunk indexes, patches, metadata artifacts and icons of builds, with the version of the build. */
async function listOwnersInBuilds(db: Executor, keys: readonly string[]): Promise<ObjectOwner[]> {
  const { rows } = await sql<ObjectOwner>`
    with owners as (
      select object_key as key, 'files' as table, id::text, filename, build_id, size_bytes, checksum_md5, checksum_sha256,
        checksum_sha1, checksum_sha512, checksum_error
      from files where object_key = any(${keys})
      union all
      select object_key, 'metadata_artifacts', id::text, filename, build_id, size_bytes, checksum_md5, checksum_sha256,
        checksum_sha1, checksum_sha512, checksum_error
      from metadata_artifacts where object_key = any(${keys})
      union all
      select chunk_indexes.object_key, 'chunk_indexes', id::text, filename, build_id, null, null, null, null, null, null
      from chunk_indexes join files on files.id = file_id where chunk_indexes.object_key = any(${keys})
      union all
      select p.object_key, 'file_patches', id::text, filename, build_id, p.size_bytes, null, p.checksum_sha256, null,
        null, null
      from file_patches as p join files on files.id = p.file_id where p.object_key = any(${keys})
      union all
      select icon_object_key, 'builds', id, null, id, null, null, null, null, null, null
      from builds where icon_object_key = any(${keys}))
    select owners.key, owners.table, owners.id, owners.filename, owners.build_id as "buildId",
      concat_ws('.', version_major, version_minor, version_patch) as version, applications.name as application,
      owners.size_bytes as "sizeBytes", owners.checksum_md5 as md5, owners.checksum_sha256 as sha256,
      owners.checksum_sha1 as sha1, owners.checksum_sha512 as sha512, owners.checksum_error as "checksumError"
    from owners join builds on builds.id = owners.build_id
      join applications on applications.id = builds.application_id`.execute(db)
  return rows
}

const tablesOfBuilds = new Set(['files', 'chunk_indexes', 'file_patches', 'metadata_artifacts', 'builds'])

/** Lists the rows of all other tables, such as applications, which have only icons. */
async function listOtherOwners(db: Executor, keys: readonly string[]): Promise<ObjectOwner[]> {
  const owners: ObjectOwner[] = []
  const unknown = {
    filename: null,
    buildId: null,
    version: null,
    application: null,
    sizeBytes: null,
    md5: null,
    sha256: null,
    sha1: null,
    sha512: null,
    checksumError: null,
  }
  for (const { table, column } of await listReferences(db)) {
    if (tablesOfBuilds.has(table)) continue
    const { rows } = await sql<{ key: string; id: string }>`
      select ${sql.ref(`r.${column}`)} as key, coalesce(to_jsonb(r) ->> 'id', '') as id
      from ${sql.table(table)} as r where ${sql.ref(`r.${column}`)} = any(${keys})`.execute(db)
    owners.push(...rows.map((row) => ({ ...row, ...unknown, table })))
  }
  return owners
}
