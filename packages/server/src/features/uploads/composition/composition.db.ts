import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { Composition } from '../../../storage/objects/composition.ts'

/** How verify composes a file, and the SHA-256 that the result must have. */
export type FileComposition = Composition & { checksumSha256: string }

type NewComposition = FileComposition & {
  newBytes: number
  parts: { numberOfParts: number; partSizeMb: number } | null
}

/**
 * Saves how a file is composed, instead of an earlier composition. Returns false if the upload is not in state `requested`
 * any more.
 */
export async function saveComposition(
  tx: Tx,
  { uploadId, fileId }: { uploadId: string; fileId: string },
  { segments, ranges, checksumSha256, newBytes, parts }: NewComposition,
): Promise<boolean> {
  const upload = await tx
    .selectFrom('pending_uploads')
    .select('id')
    .where('id', '=', uploadId)
    .where('state', '=', 'requested')
    .where(sql<boolean>`expires_at > now()`)
    .forUpdate()
    .executeTakeFirst()
  if (upload === undefined) return false
  await tx
    .updateTable('pending_upload_files')
    .set({
      new_bytes: newBytes,
      number_of_parts: parts?.numberOfParts ?? null,
      part_size_mb: parts?.partSizeMb ?? null,
    })
    .where('id', '=', fileId)
    .execute()
  const values = {
    checksum_sha256: checksumSha256,
    segments: JSON.stringify(segments),
    ranges: JSON.stringify(ranges),
  }
  await tx
    .insertInto('upload_compositions')
    .values({ pending_upload_file_id: fileId, ...values })
    .onConflict((conflict) => conflict.column('pending_upload_file_id').doUpdateSet(values))
    .execute()
  return true
}

/** Returns how a file is composed, or undefined if the client sends all of it. */
export async function findComposition(db: Executor, fileId: string): Promise<FileComposition | undefined> {
  const row = await db
    .selectFrom('upload_compositions')
    .select(['checksum_sha256', 'segments', 'ranges'])
    .where('pending_upload_file_id', '=', fileId)
    .executeTakeFirst()
  return (
    row && {
      checksumSha256: row.checksum_sha256,
      segments: row.segments as Composition['segments'],
      ranges: row.ranges as Composition['ranges'],
    }
  )
}
