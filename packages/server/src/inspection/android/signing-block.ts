import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import { readCertificate, type Certificate } from '../signatures/signed-data.ts'

const endOfDirectoryBytes = 22
const maxCommentBytes = 0xffff
const footerBytes = 24
const magic = Buffer.from('APK Sig Block 42')
/** Real blocks have a few kilobytes of signatures and up to a few megabytes of padding and dependency data. */
const maxBlockBytes = 16 * 2 ** 20
const reason = 'The APK signing block is damaged.'

/** The IDs of the signature schemes, the newest first (https://source.android.com/docs/security/features/apksigning). */
const schemes = [0x1b93ad61, 0xf05368c0, 0x7109871a]

/**
 * Returns the certificate of the first signer in the APK signing block, which is before the directory of the archive,
 * or null if there is no such block. If several schemes signed the APK, returns the certificate of the newest one.
 */
export async function findBlockSigner(source: ByteSource): Promise<Certificate | null> {
  const directoryOffset = await findDirectory(source)
  if (directoryOffset === undefined || directoryOffset < footerBytes + 8) return null
  const footer = await readBytes(source, directoryOffset - footerBytes, footerBytes, reason)
  if (!footer.subarray(8).equals(magic)) return null
  const length = parseOr(reason, () => readUint64(footer, 0, 'LE'))
  if (length > maxBlockBytes || length < footerBytes) return null
  const pairs = await readBytes(source, directoryOffset - length, length - footerBytes, reason)
  return parseOr(reason, () => {
    const blocks = readPairs(pairs)
    const block = schemes.map((id) => blocks.get(id)).find((found) => found !== undefined)
    return block === undefined ? null : firstCertificate(block)
  })
}

/** Returns the offset of the archive's directory, which the end record names. */
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

/** Returns the blocks by their IDs. Each is preceded by its length in 8 bytes and its ID in 4 bytes. */
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

/** Reads signers → signer → signed data → certificates → certificate. A length of 4 bytes precedes each of them. */
function firstCertificate(block: Buffer): Certificate {
  const signers = prefixed(block, 0)
  const signer = prefixed(signers, 0)
  const signedData = prefixed(signer, 0)
  const digests = prefixed(signedData, 0)
  const certificates = prefixed(signedData, 4 + digests.length)
  return readCertificate(prefixed(certificates, 0))
}

const prefixed = (buffer: Buffer, at: number): Buffer => slice(buffer, at + 4, buffer.readUInt32LE(at))
