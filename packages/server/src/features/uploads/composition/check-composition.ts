import type { Call } from '../../../http/endpoint/endpoint.ts'
import { limitConcurrency, limitConcurrencyByName } from '../../../lib/concurrency.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { StagedPart } from '../../../storage/driver.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import { checkParts, rejectDamagedPart } from '../check-parts.ts'
import type { ChosenFile, SealedFile } from '../finish-upload.ts'
import type { PendingFile } from '../pending-upload.db.ts'
import { findComposition, type FileComposition } from './composition.db.ts'
import { compositionMismatch, reuseUnavailable, sourceDamaged } from './composition.ts'

/** A small request can require reading 500 GB, so few are read at a time, and one for each application. */
const inTurn = limitConcurrency(2)
const inTurnOfApplication = limitConcurrencyByName(1)

/**
 * Reads files before they are sealed: all that are composed, and the others within the inline limits. Returns the checksums
 * by file ID. Throws unless the composed files are those that the client described.
 */
export async function checkFiles(
  call: Call,
  applicationId: string,
  files: ChosenFile[],
  signal: AbortSignal,
): Promise<Map<string, AllDigests>> {
  const plain = files.filter(({ composition }) => composition === undefined)
  const checksums = await checkParts(call, plain, signal)
  for (const { file, parts, composition } of files) {
    if (composition === undefined) continue
    const read = () => readComposition(call, file, parts, composition)
    const digests = await inTurnOfApplication(applicationId, () => inTurn(read))
    if (digests !== undefined) checksums.set(file.id, digests)
  }
  return checksums
}

async function readComposition(
  call: Call,
  file: PendingFile,
  parts: StagedPart[],
  composition: FileComposition,
): Promise<AllDigests | undefined> {
  const { storage, log } = call
  const { object_key: key, filename } = file
  const multipartId = file.multipart_id ?? ''
  if (!(await storage.canCompose(key))) throw reuseUnavailable()
  try {
    const digests = await storage.checksumsOfStaged(key, multipartId, parts, { composition })
    if (digests === undefined || digests.sha256 === composition.checksumSha256) return digests
    // A damaged part is reported as such, because sending it again is enough.
    if (parts.length > 0) await storage.checksumsOfStaged(key, multipartId, parts)
    throw compositionMismatch({ filename, found: digests.sha256, expected: composition.checksumSha256 })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    if (error.key === key) throw await rejectDamagedPart(call, file, parts, error)
    log.error(
      { err: error, alarm: 'storage', key: error.key },
      'a file from which an upload takes bytes is damaged',
    )
    throw sourceDamaged({ filename }, { cause: error })
  }
}

/**
 * Reads the composed files that the store could not read before they were sealed, and adds their checksums. Throws unless
 * they are the files that the client described, and deletes those that are not.
 */
export async function checkSealed(call: Call, applicationId: string, files: SealedFile[]): Promise<void> {
  const { storage, db } = call
  for (const { file, object } of files) {
    const composition = file.new_bytes === null ? undefined : await findComposition(db, file.id)
    if (composition === undefined || object.sha256 !== undefined) continue
    const recorded = { md5: null, sha256: composition.checksumSha256 }
    const read = () => storage.checksums(object, { recorded })
    const digests = await inTurnOfApplication(applicationId, () => inTurn(read))
    if (digests.sha256 !== composition.checksumSha256) {
      await storage.remove(object)
      const { filename } = file
      throw compositionMismatch({ filename, found: digests.sha256, expected: composition.checksumSha256 })
    }
    Object.assign(object, digests)
  }
}
