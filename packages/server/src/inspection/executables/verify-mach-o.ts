import { hash } from 'node:crypto'
import { parseOr, readBytes, readUint64, slice, textAt } from '../bytes.ts'
import type { ByteSource } from '../inspection.ts'
import {
  invalid,
  settleSignature,
  unsigned,
  UnsupportedSignature,
  type Signature,
} from '../signatures/signature.ts'
import { certificatesOf, readSignedData, type Certificate } from '../signatures/signed-data.ts'
import { isSignedBy } from '../signatures/verify-signed-data.ts'

const damaged = 'The code signature is damaged.'
const maxSignatureBytes = 16 * 2 ** 20
const maxBlobs = 64
const chunkPages = 64

/** Magic numbers and slots of a code signature (cs_blobs.h). All numbers are big-endian. */
const magic = { superBlob: 0xfade0cc0, codeDirectory: 0xfade0c02, cms: 0xfade0b01 }
const slot = { codeDirectory: 0, cms: 0x10000 }
const digests: Readonly<Record<number, { name: string; length: number }>> = {
  1: { name: 'sha1', length: 20 },
  2: { name: 'sha256', length: 32 },
  3: { name: 'sha256', length: 20 },
  4: { name: 'sha384', length: 48 },
}
/** Slots of files outside the executable: Info.plist and the list of resources of a bundle. */
const externalSlots = new Set([1, 3, 4])

type Range = { offset: number; sizeBytes: number }

/** A code signature: its verification, and the name that identifies the program. */
export type CodeSignature = Signature & { identifier: string | null }

/**
 * Verifies the code signature of one architecture: the signature of the code directory, the digests of all pages, and the
 * digests of entitlements and requirements. Signatures without a certificate, which linkers create (ad hoc), are treated as
 * unsigned.
 */
export async function verifyMachO(
  content: ByteSource,
  { offset, sizeBytes }: Range,
  signature: Range | undefined,
): Promise<CodeSignature> {
  let [signers, identifier]: [Certificate[], string | null] = [[], null]
  const verify = async (): Promise<Signature> => {
    if (signature === undefined) return unsigned
    if (signature.sizeBytes > maxSignatureBytes) throw new UnsupportedSignature('The signature is too large.')
    // Bytes after the signature would not be signed.
    if (signature.offset + signature.sizeBytes !== sizeBytes) return invalid
    const bytes = await readBytes(content, offset + signature.offset, signature.sizeBytes, damaged)
    const found = readCodeSignature(bytes)
    if (found.directory === undefined) return invalid
    const { blobs, directory } = found
    identifier = directory.identifier
    if (found.status !== 'valid') return found
    signers = found.signers
    const matches = await matchesDigests(content, { offset, sizeBytes: signature.offset }, directory, blobs)
    return matches ? { status: 'valid', signers } : invalid
  }
  const result = await settleSignature(verify(), () => signers)
  return { ...result, identifier: result.status === 'invalid' ? null : identifier }
}

/** Returns whether the code of one architecture, without its signature, and the parts of the signature match all digests. */
export const matchesDigests = async (
  content: ByteSource,
  code: Range,
  directory: CodeDirectory,
  blobs: Blobs,
): Promise<boolean> =>
  directory.codeLimit === code.sizeBytes &&
  specialSlotsMatch(directory, blobs) &&
  (await pagesMatch(content, code.offset, directory))

type Blobs = ReadonlyMap<number, Buffer>
type SignedDirectory = Signature & { directory: CodeDirectory | undefined; blobs: Blobs }

/**
 * Reads a code signature, and verifies that its certificate has signed the code directory. Throws `InspectionError` if the
 * signature is damaged.
 */
export function readCodeSignature(bytes: Buffer): SignedDirectory {
  const blobs = parseOr(damaged, () => readBlobs(bytes))
  const directoryBytes = blobs.get(slot.codeDirectory)
  if (directoryBytes === undefined) return { ...invalid, directory: undefined, blobs }
  const directory = parseOr(damaged, () => readCodeDirectory(directoryBytes))
  const message = blobs.get(slot.cms)?.subarray(8)
  if (message === undefined || message.length === 0) return { ...unsigned, directory, blobs }
  const signed = readSignedData(message, damaged)
  if (!isSignedBy(signed, directoryBytes)) return { ...invalid, directory, blobs }
  return { status: 'valid', signers: certificatesOf(signed), directory, blobs }
}

/** Returns the parts of a signature by slot. */
function readBlobs(bytes: Buffer): Map<number, Buffer> {
  if (bytes.readUInt32BE(0) !== magic.superBlob) throw new RangeError('The signature has another format.')
  const count = bytes.readUInt32BE(8)
  if (count > maxBlobs) throw new RangeError('The signature has too many parts.')
  const blobs = new Map<number, Buffer>()
  for (let index = 0; index < count; index++) {
    const [type, at] = [bytes.readUInt32BE(12 + index * 8), bytes.readUInt32BE(16 + index * 8)]
    const blob = slice(bytes, at, bytes.readUInt32BE(at + 4))
    const wanted =
      type === slot.cms ? magic.cms : type === slot.codeDirectory ? magic.codeDirectory : undefined
    if (blob.length < 8 || (wanted !== undefined && blob.readUInt32BE(0) !== wanted))
      throw new RangeError('A part of the signature has another format.')
    blobs.set(type, blob)
  }
  return blobs
}

type CodeDirectory = {
  identifier: string
  codeLimit: number
  pageBytes: number
  digest: { name: string; length: number }
  /** Digests of pages, and of other parts by slot, which precede them in reverse order. */
  pages: Buffer
  special: Buffer[]
}

function readCodeDirectory(bytes: Buffer): CodeDirectory {
  const [version, hashOffset, identifierOffset, specialCount, pageCount] = [8, 16, 20, 24, 28].map((at) =>
    bytes.readUInt32BE(at),
  ) as [number, number, number, number, number]
  const digest = digests[bytes.readUInt8(37)]
  if (digest === undefined || digest.length !== bytes.readUInt8(36))
    throw new UnsupportedSignature('The signature uses an unsupported algorithm.')
  const longLimit = version >= 0x20300 ? readUint64(bytes, 56, 'BE') : 0
  const codeLimit = longLimit === 0 ? bytes.readUInt32BE(32) : longLimit
  const pageShift = bytes.readUInt8(39)
  const pageBytes = pageShift === 0 ? Math.max(codeLimit, 1) : 2 ** Math.min(pageShift, 24)
  if (pageCount !== Math.ceil(codeLimit / pageBytes) || specialCount > maxBlobs)
    throw new RangeError('The number of digests is invalid.')
  return {
    identifier: textAt(bytes, identifierOffset),
    codeLimit,
    pageBytes,
    digest,
    pages: slice(bytes, hashOffset, pageCount * digest.length),
    special: Array.from({ length: specialCount }, (_, index) =>
      slice(bytes, hashOffset - (index + 1) * digest.length, digest.length),
    ),
  }
}

const digestOf = ({ digest }: CodeDirectory, bytes: Buffer): Buffer =>
  hash(digest.name, bytes, 'buffer').subarray(0, digest.length)

/** Returns whether every part with a digest matches it, and every other part is absent. */
function specialSlotsMatch(directory: CodeDirectory, blobs: Blobs): boolean {
  const isSigned = directory.special.every((expected, index) => {
    const number = index + 1
    const blob = blobs.get(number)
    if (externalSlots.has(number)) return true
    return blob === undefined
      ? expected.every((byte) => byte === 0)
      : digestOf(directory, blob).equals(expected)
  })
  const isComplete = [...blobs.keys()].every(
    (number) => number === 0 || number >= 0x1000 || number <= directory.special.length,
  )
  return isSigned && isComplete
}

async function pagesMatch(content: ByteSource, offset: number, directory: CodeDirectory): Promise<boolean> {
  const { codeLimit, pageBytes, digest, pages } = directory
  const chunkBytes = pageBytes * (pageBytes > 65_536 ? 1 : chunkPages)
  for (let start = 0; start < codeLimit; start += chunkBytes) {
    const chunk = await readBytes(content, offset + start, Math.min(chunkBytes, codeLimit - start), damaged)
    for (let at = 0; at < chunk.length; at += pageBytes) {
      const position = ((start + at) / pageBytes) * digest.length
      const expected = pages.subarray(position, position + digest.length)
      if (!digestOf(directory, chunk.subarray(at, at + pageBytes)).equals(expected)) return false
    }
  }
  return true
}
