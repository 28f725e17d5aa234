import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { CommandContext } from '../command-context.ts'
import type { Agents } from './agents.ts'
import { hashRange } from './hash-range.ts'
import type { HashRange } from './hash-range.ts'
import type { Algorithm } from './hash-thread.ts'
import type { LocalFile } from './local-file.ts'
import type { Checksum } from './partial-file.ts'

type KnownChecksums = { checksum_sha256: string | null; checksum_md5: string | null }

/** Returns the strongest checksum that the server reports. */
export function checksumOf({ checksum_sha256, checksum_md5 }: KnownChecksums): Checksum | undefined {
  if (checksum_sha256) return { algorithm: 'sha256', hex: checksum_sha256 }
  return checksum_md5 ? { algorithm: 'md5', hex: checksum_md5 } : undefined
}

type ChecksumContext = Pick<CommandContext, 'output' | 'agents' | 'signal'>
type Reading = Pick<HashRange, 'signal' | 'onBytes'>

/** Returns the hexadecimal checksum of a file. `onBytes` receives the number of bytes read since the previous call. */
export const fileChecksum = (
  path: string,
  algorithm: Algorithm,
  agents: Agents,
  reading: Reading = {},
): Promise<string> => whileOpen(path, (file) => checksum(file, algorithm, agents, reading))

async function checksum(
  file: OpenFile,
  algorithm: Algorithm,
  { hashes, buffers }: Agents,
  reading: Reading,
): Promise<string> {
  const hashing = hashes.start(algorithm, file.sizeBytes)
  await hashRange(hashing, { ...reading, ...file, start: 0, buffers })
  return await hashing.digest()
}

/** Returns the hexadecimal checksum of a file. Shows progress while reading it. */
export const fileChecksumWithProgress = (
  context: ChecksumContext,
  path: string,
  algorithm: Algorithm,
): Promise<string> => whileOpen(path, (file) => checksumWithProgress(context, file, algorithm))

type OpenFile = Pick<LocalFile, 'filename' | 'handle' | 'sizeBytes'>

async function whileOpen<Result>(path: string, work: (file: OpenFile) => Promise<Result>): Promise<Result> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    return await work({ filename: basename(path), handle, sizeBytes: size })
  } finally {
    await handle.close()
  }
}

/** Returns the hexadecimal checksum of an opened file. Shows progress while reading it. */
export async function checksumWithProgress(
  { output, agents, signal }: ChecksumContext,
  file: OpenFile,
  algorithm: Algorithm,
): Promise<string> {
  const progress = output.progress({
    label: `Checking ${file.filename}`,
    totalBytes: file.sizeBytes,
    alreadyDoneBytes: 0,
  })
  try {
    return await checksum(file, algorithm, agents, { signal, onBytes: (bytes) => progress.add(bytes) })
  } finally {
    progress.end()
  }
}
