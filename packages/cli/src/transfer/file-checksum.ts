import { open } from 'node:fs/promises'
import type { Agents } from './agents.ts'
import { hashRange } from './hash-range.ts'
import type { Checksum } from './partial-file.ts'

type KnownChecksums = { checksum_sha256: string | null; checksum_md5: string | null }

/** Returns the strongest checksum that the server reports. */
export function checksumOf({ checksum_sha256, checksum_md5 }: KnownChecksums): Checksum | undefined {
  if (checksum_sha256) return { algorithm: 'sha256', hex: checksum_sha256 }
  return checksum_md5 ? { algorithm: 'md5', hex: checksum_md5 } : undefined
}

/** Returns whether the bytes of a local file have the checksum. */
export async function hasChecksum(
  path: string,
  { algorithm, hex }: Checksum,
  { hashes, buffers }: Agents,
): Promise<boolean> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const hashing = hashes.start(algorithm, size)
    await hashRange(hashing, { handle, start: 0, sizeBytes: size, buffers })
    return (await hashing.digest()) === hex
  } finally {
    await handle.close()
  }
}
