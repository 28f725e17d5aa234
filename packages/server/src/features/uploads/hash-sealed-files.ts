import type { Deps } from '../../deps.ts'
import { ReadMismatch } from '../../storage/damaged-file.ts'
import type { SealedFile } from './finish-upload.ts'

// A file uploaded in parts must be read again to compute its checksums. Small files are read during verify, so that the
// response contains the checksums. Larger files are read by a job, so that verify takes at most 2 s if the disk reads
// 500 MB/s.
export const maxInlineHashBytes = 512 * 1024 * 1024
// Reading even a small file can take longer on a busy machine. In that case, the job computes the checksums.
export const inlineHashTimeoutMs = 5_000

/** Adds the missing checksums of the files that can be read before `signal` is aborted. */
export async function hashSealedFiles(
  { storage }: Pick<Deps, 'storage'>,
  files: SealedFile[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    files.map(async ({ object }) => {
      const { md5, sha256, sizeBytes } = object
      if ((md5 !== undefined && sha256 !== undefined) || sizeBytes > maxInlineHashBytes) return
      try {
        Object.assign(object, await storage.checksums(object, { signal }))
      } catch (error) {
        // The job reads the file again.
        if (!signal.aborted && !(error instanceof ReadMismatch)) throw error
      }
    }),
  )
}
