import type { Deps } from '../../../deps.ts'
import { InspectionError, type Inspection } from '../../../inspection/inspection.ts'
import { InspectionAborted } from '../../../inspection/sandboxed-process.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { objectSource } from '../../../storage/objects/object-source.ts'

const maxAttempts = 2
const maxBuildNumberLength = 100

/** Inspects an object, with a second attempt if the process fails. Returns a `reason` if the object cannot be read. */
export async function inspectObject(
  { storage, inspector, log }: Pick<Deps, 'storage' | 'inspector' | 'log'>,
  object: SealedObject,
  filetype: string,
  stopping: AbortSignal,
): Promise<Inspection | { reason: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inspector.inspect(objectSource(storage, object), filetype, stopping)
    } catch (error) {
      if (error instanceof InspectionAborted && attempt < maxAttempts) continue
      if (error instanceof InspectionError) return { reason: error.reason }
      // The file may be missing because its disk is not mounted, so the job is retried.
      if (!(error instanceof DamagedFile) || error.code === 'storage.file_missing') throw error
      log.error({ alarm: 'storage', key: object.key, part: error.partName }, error.message)
      return { reason: error.message }
    }
  }
}

/** Returns the build number that the file declares. */
export function buildNumberOf({ ios_info, android_info, file_info }: Inspection): string | null {
  const versionCode = android_info?.version_code
  const number = ios_info?.bundle_version ?? versionCode?.toString() ?? file_info?.build_number ?? null
  return number === null || number === '' || number.length > maxBuildNumberLength ? null : number
}
