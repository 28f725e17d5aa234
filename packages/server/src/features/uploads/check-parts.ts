import type { Call } from '../../http/endpoint/endpoint.ts'
import { problem, type Problem } from '../../lib/problem.ts'
import { DamagedFile } from '../../storage/damaged-file.ts'
import type { StagedPart } from '../../storage/driver.ts'
import type { AllDigests } from '../../storage/objects/hashing.ts'
import type { ChosenFile } from './finish-upload.ts'
import { maxInlineHashBytes } from './hash-sealed-files.ts'
import type { PendingFile } from './pending-upload.db.ts'

/** Returns the checksums of the files that can be read within the inline limits. */
export async function checkParts(
  call: Call,
  files: ChosenFile[],
  signal: AbortSignal,
): Promise<Map<string, AllDigests>> {
  const { storage } = call
  const checksums = new Map<string, AllDigests>()
  await Promise.all(
    files.map(async ({ file, parts }) => {
      // Local storage hashed a file with a single part during its PUT. S3 can read it only after it is sealed.
      if (parts.length === 1 || file.size_bytes > maxInlineHashBytes) return
      const { object_key: key, multipart_id } = file
      try {
        const digests = await storage.checksumsOfStaged(key, multipart_id ?? '', parts, { signal })
        if (digests !== undefined) checksums.set(file.id, digests)
      } catch (error) {
        if (error instanceof DamagedFile) throw await rejectDamagedPart(call, file, parts, error)
        if (!signal.aborted) throw error
      }
    }),
  )
  return checksums
}

/** Deletes a damaged part. Otherwise, a client that resumes would not send it again. Returns the error to throw. */
export async function rejectDamagedPart(
  { storage, log }: Call,
  file: PendingFile,
  parts: StagedPart[],
  error: DamagedFile,
): Promise<Problem> {
  const { object_key: key, multipart_id } = file
  log.error({ err: error, alarm: 'storage', key, part: error.partName }, 'a stored part is damaged')
  await storage.discardPart(key, multipart_id ?? '', error.partName)
  return damagedPart(file, parts, error)
}

function damagedPart({ role, filename }: PendingFile, parts: StagedPart[], error: DamagedFile): Problem {
  const number = parts.find(({ name }) => name === error.partName)?.partNumber
  const text = `Part ${number} of "${filename}" was damaged in storage. Upload it again.`
  const field = role === 'expansion' ? 'expansion_files.0' : 'primary_file'
  return partDamaged({ reason: text }, { errors: { [field]: [text] }, cause: error })
}

export const partDamaged = problem(
  'bad_request',
  'upload.part_damaged',
  'The upload cannot be verified: {reason}',
)
