import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import type { Certificate } from '../signatures/signed-data.ts'
import { readBlockSignature } from './block-signature.ts'

const endOfDirectoryBytes = 22
const maxCommentBytes = 0xffff
const footerBytes = 24
const magic = Buffer.from('APK Sig Block 42')
/** A block usually takes a few kilobytes, or up to a few megabytes with padding and dependency metadata. */
const maxBlockBytes = 16 * 2 ** 20
const reason = 'The APK signing block is damaged.'

/** The IDs of the signature schemes, newest first (https://source.android.com/docs/security/features/apksigning). */
const schemes = [
  { id: 0x1b93ad61, hasSdkRange: true },
  { id: 0xf05368c0, hasSdkRange: true },
  { id: 0x7109871a, hasSdkRange: false },
]

/**
 * Returns the certificate of the first signer in the APK signing block, which precedes the directory of the archive. If
 * the block has several schemes, uses the newest one. Returns null if its signature is invalid, and undefined if there
 * is no block. Android accepts a signature of scheme v1 only if there is no block.
 */
export async function findBlockSigner(source: ByteSource): Promise<Certificate | null | undefined> {
  const directoryOffset = await findDirectory(source)
  if (directoryOffset === undefined || directoryOffset < footerBytes + 8) return undefined
  const footer = await readBytes(source, directoryOffset - footerBytes, footerBytes, reason)
  if (!footer.subarray(8).equals(magic)) return undefined
  const length = parseOr(reason, () => readUint64(footer, 0, 'LE'))
  if (length > maxBlockBytes || length < footerBytes) return null
  const pairs = await readBytes(source, directoryOffset - length, length - footerBytes, reason)
  return parseOr(reason, () => {
    const blocks = readPairs(pairs)
    for (const { id, hasSdkRange } of schemes) {
      const block = blocks.get(id)
      if (block !== undefined) return readBlockSignature(block, hasSdkRange)
    }
    return undefined
  })
}

/** Returns the offset of the archive's directory, which the end record contains. */
async function findDirectory(source: ByteSource): Promise<number | undefined> {
  const length = Math.min(source.sizeBytes, endOfDirectoryBytes + maxCommentBytes)
  const tail = await source.read(source.sizeBytes - length, length)
  for (let at = tail.length - endOfDirectoryBytes; at >= 0; at--) {
    const isEnd = tail.readUInt32LE(at) === 0x06054b50
    if (isEnd && at + endOfDirectoryBytes + tail.readUInt16LE(at + 20) === tail.length)
      return tail.readUInt32LE(at + 16)
  }
  return undefined
}

/** Returns the blocks by ID. Each block is preceded by an 8-byte length and its 4-byte ID. */
function readPairs(pairs: Buffer): Map<number, Buffer> {
  const blocks = new Map<number, Buffer>()
  for (let at = 0; at < pairs.length;) {
    const length = readUint64(pairs, at, 'LE')
    const id = pairs.readUInt32LE(at + 8)
    const block = slice(pairs, at + 12, length - 4)
    if (!blocks.has(id)) blocks.set(id, block)
    at += 8 + length
  }
  return blocks
}
