import type { Call } from '../../../http/endpoint/endpoint.ts'
import { limitConcurrency, limitConcurrencyByName } from '../../../lib/concurrency.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { StagedPart } from '../../../storage/driver.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import { checkParts, rejectDamagedPart } from '../check-parts.ts'
import type { ChosenFile } from '../finish-upload.ts'
import type { PendingFile } from '../pending-upload.db.ts'
import type { FileComposition } from './composition.db.ts'
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
    checksums.set(file.id, await inTurnOfApplication(applicationId, () => inTurn(read)))
  }
  return checksums
}

async function readComposition(
  call: Call,
  file: PendingFile,
  parts: StagedPart[],
  composition: FileComposition,
): Promise<AllDigests> {
  const { storage, log } = call
  const { object_key: key, filename } = file
  const multipartId = file.multipart_id ?? ''
  if (!(await storage.canCompose(key))) throw reuseUnavailable()
  try {
    const digests = await storage.checksumsOfStaged(key, multipartId, parts, { composition })
    if (digests?.sha256 === composition.checksumSha256) return digests
    // A damaged part is reported as such, because sending it again is enough.
    if (parts.length > 0) await storage.checksumsOfStaged(key, multipartId, parts)
    const found = digests?.sha256 ?? 'unknown'
    throw compositionMismatch({ filename, found, expected: composition.checksumSha256 })
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    if (error.key === key) throw await rejectDamagedPart(call, file, parts, error)
    log.error({ err: error, alarm: 'storage', key: error.key }, 'a file from which an upload takes bytes is damaged')
    throw sourceDamaged({ filename }, { cause: error })
  }
}
