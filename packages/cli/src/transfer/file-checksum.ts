import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import type { Agents } from './agents.ts'
import { hashRange } from './hash-range.ts'
import type { HashRange } from './hash-range.ts'
import type { Algorithm } from './hash-thread.ts'
import type { Checksum } from './partial-file.ts'

type KnownChecksums = { checksum_sha256: string | null; checksum_md5: string | null }

/** Returns the strongest checksum that the server reports. */
export function checksumOf({ checksum_sha256, checksum_md5 }: KnownChecksums): Checksum | undefined {
  if (checksum_sha256) return { algorithm: 'sha256', hex: checksum_sha256 }
  return checksum_md5 ? { algorithm: 'md5', hex: checksum_md5 } : undefined
}

/** Returns the hexadecimal checksum of a file. `onBytes` receives the number of bytes read since the previous call. */
export async function fileChecksum(
  path: string,
  algorithm: Algorithm,
  { hashes, buffers }: Agents,
  reading: Pick<HashRange, 'signal' | 'onBytes'> = {},
): Promise<string> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const hashing = hashes.start(algorithm, size)
    await hashRange(hashing, { ...reading, handle, start: 0, sizeBytes: size, buffers })
    return await hashing.digest()
  } finally {
    await handle.close()
  }
}

/** Returns the hexadecimal checksum of a file. Shows progress while reading it. */
export async function fileChecksumWithProgress(
  { output, agents, signal }: Pick<CommandContext, 'output' | 'agents' | 'signal'>,
  path: string,
  algorithm: Algorithm,
): Promise<string> {
  const { size } = await stat(path)
  const progress = output.progress({
    label: `Checking ${basename(path)}`,
    totalBytes: size,
    alreadyDoneBytes: 0,
  })
  try {
    return await fileChecksum(path, algorithm, agents, { signal, onBytes: (bytes) => progress.add(bytes) })
  } finally {
    progress.end()
  }
}
