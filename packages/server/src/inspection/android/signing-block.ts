import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const endOfDirectoryBytes = 22
const maxCommentBytes = 0xffff
const footerBytes = 24
const magic = Buffer.from('APK Sig Block 42')
/** A block usually takes a few kilobytes, or up to a few megabytes with padding and dependency metadata. */
const maxBlockBytes = 16 * 2 ** 20
const reason = 'The APK signing block is damaged.'

/** The APK signing block, and where the other sections of the file are. */
export type SigningBlock = {
  /** The blocks of the signature schemes and others by ID. */
  blocks: ReadonlyMap<number, Buffer>
  offset: number
  directoryOffset: number
  /** The offset of the end record, which starts where the directory ends. */
  endOffset: number
}

/**
 * Reads the signing block, which precedes the directory of the archive. Returns undefined if there is none. Throws
 * `InspectionError` if it is damaged.
 */
export async function readSigningBlock(source: ByteSource): Promise<SigningBlock | undefined> {
  const directory = await findDirectory(source)
  if (directory === undefined || directory.directoryOffset < footerBytes + 8) return undefined
  const { directoryOffset, endOffset, isAdjacent } = directory
  const footer = await readBytes(source, directoryOffset - footerBytes, footerBytes, reason)
  if (!footer.subarray(8).equals(magic)) return undefined
  const length = parseOr(reason, () => readUint64(footer, 0, 'LE'))
  if (length > maxBlockBytes || length < footerBytes || !isAdjacent) throw new InspectionError(reason)
  const offset = directoryOffset - length - 8
  const bytes = await readBytes(source, offset, length + 8 - footerBytes, reason)
  return parseOr(reason, () => {
    if (readUint64(bytes, 0, 'LE') !== length) throw new RangeError('The lengths of the block differ.')
    return { blocks: readPairs(bytes.subarray(8)), offset, directoryOffset, endOffset }
  })
}

/**
 * Returns the position of the archive's directory according to the end record. Android requires that it is adjacent to the
 * end record.
 */
export async function findDirectory(source: ByteSource) {
  const length = Math.min(source.sizeBytes, endOfDirectoryBytes + maxCommentBytes)
  const tail = await source.read(source.sizeBytes - length, length)
  for (let at = tail.length - endOfDirectoryBytes; at >= 0; at--) {
    const isEnd = tail.readUInt32LE(at) === 0x06054b50
    if (!isEnd || at + endOfDirectoryBytes + tail.readUInt16LE(at + 20) !== tail.length) continue
    const directoryOffset = tail.readUInt32LE(at + 16)
    const endOffset = source.sizeBytes - tail.length + at
    const isAdjacent = directoryOffset + tail.readUInt32LE(at + 12) === endOffset
    return { directoryOffset, endOffset, isAdjacent }
  }
  return undefined
}

/**
 * Returns the blocks by ID. Each block is preceded by an 8-byte length and its 4-byte ID. Like Android, ignores what follows
 * a damaged length.
 */
function readPairs(pairs: Buffer): Map<number, Buffer> {
  const blocks = new Map<number, Buffer>()
  for (let at = 0; at + 12 <= pairs.length;) {
    const length = Number(pairs.readBigUInt64LE(at))
    if (length < 4 || length > pairs.length - at - 8) break
    const id = pairs.readUInt32LE(at + 8)
    const block = slice(pairs, at + 12, length - 4)
    if (!blocks.has(id)) blocks.set(id, block)
    at += 8 + length
  }
  return blocks
}
