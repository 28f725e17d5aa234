import { sql } from 'kysely'
import type { Executor } from '../../../database/transaction.ts'
import { toSealedObject } from '../../../storage/objects/stored-objects.db.ts'
import type { FileRow } from '../files/file.ts'

export type ComparedFileRow = Awaited<ReturnType<typeof listComparedFiles>>[number]

/** Lists the uploaded files of builds with their manifests, their chunk indexes and the versions of their builds. */
export async function listComparedFiles(db: Executor, buildIds: readonly string[]) {
  const rows = await db
    .selectFrom('files')
    .innerJoin('builds', 'builds.id', 'files.build_id')
    .innerJoin('stored_objects as content', 'content.key', 'files.object_key')
    .leftJoin('chunk_indexes', 'chunk_indexes.file_id', 'files.id')
    .leftJoin('stored_objects as index', 'index.key', 'chunk_indexes.object_key')
    .select([
      'files.id',
      'files.build_id',
      'files.role',
      'files.filename',
      'files.size_bytes',
      'files.filetype',
      'files.checksum_sha256',
      'files.checksum_error',
      'files.object_key',
      'content.segments',
      'content.ranges',
      'index.key as index_key',
      'index.size_bytes as index_bytes',
      'index.segments as index_segments',
      'builds.build_number',
      sql<string>`build_version(builds.version_major, builds.version_minor, builds.version_patch,
        builds.version_extra, builds.version_meta)`.as('version'),
    ])
    .where(sql<boolean>`files.build_id = any(${buildIds})`)
    .where('files.role', '!=', 'universal_apk')
    .orderBy((eb) => eb.case('files.role').when('primary').then(0).else(1).end())
    .orderBy('files.filename')
    .orderBy('files.id')
    .execute()
  return rows.map(({ segments, ranges, index_key, index_bytes, index_segments, object_key, ...row }) => ({
    ...row,
    role: row.role as FileRow['role'],
    object: toSealedObject({ key: object_key, size_bytes: row.size_bytes, segments, ranges }),
    index:
      index_key === null
        ? undefined
        : toSealedObject({
            key: index_key,
            size_bytes: index_bytes ?? 0,
            segments: index_segments,
            ranges: null,
          }),
  }))
}
