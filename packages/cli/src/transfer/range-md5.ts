import type { Agents } from './agents.ts'
import { hashRange } from './hash-range.ts'
import { FileChangedError } from './local-file.ts'
import type { LocalFile } from './local-file.ts'

export type FileRange = {
  start: number
  sizeBytes: number
  signal: AbortSignal
  /** Called with the number of bytes read since the previous call. */
  onBytes?: (bytes: number) => void
}

/** Returns the MD5 of a range of a local file in hexadecimal. */
export async function rangeMd5(file: LocalFile, range: FileRange, agents: Agents): Promise<string> {
  const { hashes, buffers } = agents
  const hashing = hashes.start('md5', range.sizeBytes)
  const hashedBytes = await hashRange(hashing, { ...range, handle: file.handle, buffers })
  if (hashedBytes < range.sizeBytes) throw new FileChangedError(file.path)
  return hashing.digest()
}
