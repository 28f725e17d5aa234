import type { Executor } from '../database/transaction.ts'
import type { FindCompletedUpload } from './s3/s3-sweep.ts'

/** Returns how the object of a verified upload was sent; see `FindCompletedUpload`. */
export async function findCompletedUpload(db: Executor, key: string): ReturnType<FindCompletedUpload> {
  const row = await db
    .selectFrom('pending_upload_files as f')
    .innerJoin('pending_uploads as u', 'u.id', 'f.pending_upload_id')
    .select(['f.multipart_id', 'f.chosen_parts'])
    .where('f.object_key', '=', key)
    .where('u.state', '=', 'verified')
    .executeTakeFirst()
  const parts = row?.chosen_parts as { partNumber: number }[] | null | undefined
  if (row === undefined || parts?.[0] === undefined) return undefined
  return { multipartId: parts[0].partNumber === 0 ? null : row.multipart_id }
}
