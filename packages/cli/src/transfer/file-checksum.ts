import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Checksum } from './partial-file.ts'

type KnownChecksums = { checksum_sha256: string | null; checksum_md5: string | null }

/** Returns the strongest checksum that the server reports. */
export function checksumOf({ checksum_sha256, checksum_md5 }: KnownChecksums): Checksum | undefined {
  if (checksum_sha256) return { algorithm: 'sha256', hex: checksum_sha256 }
  return checksum_md5 ? { algorithm: 'md5', hex: checksum_md5 } : undefined
}

/** Returns whether the bytes of a local file have the checksum. */
export async function hasChecksum(path: string, { algorithm, hex }: Checksum): Promise<boolean> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex') === hex
}
