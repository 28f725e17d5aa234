import type { StagedPart, StorageDriver } from '../../storage/driver.ts'
import type { PendingFile } from './pending-upload.db.ts'

export type StoredParts = { staged: StagedPart[]; isSealed: boolean }

/**
 * Returns the stored attempts at the parts of a file. If a verify call was interrupted after it sealed the file, these are
 * the chosen ones, because S3 no longer lists them and later attempts cannot change the file.
 */
export async function listStoredParts(storage: StorageDriver, file: PendingFile): Promise<StoredParts> {
  const { object_key: key, multipart_id, chosen_parts } = file
  const staged = await storage.listStaged(key, multipart_id ?? '')
  // The parts are chosen before they are sealed.
  if (chosen_parts === null || (await storage.findSealed(key)) === undefined)
    return { staged, isSealed: false }
  return { staged: chosen_parts, isSealed: true }
}
