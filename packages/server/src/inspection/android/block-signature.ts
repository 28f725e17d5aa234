import { slice } from '../bytes.ts'
import { readCertificate, type Certificate } from '../signatures/signed-data.ts'
import { isSignature, type SignatureAlgorithm } from '../signatures/verify-signed-data.ts'
import type { ContentDigest } from './content-digests.ts'

const rsa = { keyTypes: ['rsa'] }
const ec = { keyTypes: ['ec'] }
const dsa = { keyTypes: ['dsa'] }

/** Maps the IDs of signature algorithms. `content` is how the APK is digested. */
const algorithms: Readonly<Record<number, SignatureAlgorithm & { content: ContentDigest }>> = {
  0x0101: { ...rsa, digest: 'sha256', isPss: true, saltLength: 32, content: 'sha256' },
  0x0102: { ...rsa, digest: 'sha512', isPss: true, saltLength: 64, content: 'sha512' },
  0x0103: { ...rsa, digest: 'sha256', content: 'sha256' },
  0x0104: { ...rsa, digest: 'sha512', content: 'sha512' },
  0x0201: { ...ec, digest: 'sha256', content: 'sha256' },
  0x0202: { ...ec, digest: 'sha512', content: 'sha512' },
  0x0301: { ...dsa, digest: 'sha256', content: 'sha256' },
  0x0421: { ...rsa, digest: 'sha256', content: 'verity' },
  0x0423: { ...ec, digest: 'sha256', content: 'verity' },
  0x0425: { ...dsa, digest: 'sha256', content: 'verity' },
}
const maxSigners = 10
const maxSignatures = 8
const maxAttributes = 64
/** An attribute of scheme v2 with the ID of a newer scheme with which the APK was signed too. */
const newerSchemeAttribute = 0xbeeff00d

/** A signer in the block of a signature scheme, whose signature covers these digests of the APK. */
export type BlockSigner = {
  certificate: Certificate
  digests: ReadonlyMap<ContentDigest, Buffer>
  /** The number of a newer scheme that the APK must have. */
  newerScheme: number | undefined
}

/**
 * Returns the signers in the block of a signature scheme, or undefined if one of their signatures is invalid. The digests
 * of the APK are not verified. Throws a RangeError if the block is damaged.
 */
export function readBlockSigners(block: Buffer, hasSdkRange: boolean): BlockSigner[] | undefined {
  const signers = listPrefixed(prefixed(block, 0), maxSigners).map((signer) =>
    readSigner(signer, hasSdkRange),
  )
  const verified = signers.filter((signer) => signer !== undefined)
  return verified.length > 0 && verified.length === signers.length ? verified : undefined
}

function readSigner(signer: Buffer, hasSdkRange: boolean): BlockSigner | undefined {
  const signedData = prefixed(signer, 0)
  // From scheme v3 on, the minimum and maximum API level precede the signatures, and repeat those in the signed data.
  const rangeBytes = hasSdkRange ? 8 : 0
  const signaturesOffset = 4 + signedData.length + rangeBytes
  const signatures = prefixed(signer, signaturesOffset)
  const key = prefixed(signer, signaturesOffset + 4 + signatures.length)

  const digests = prefixed(signedData, 0)
  const certificates = prefixed(signedData, 4 + digests.length)
  const rangeOffset = 8 + digests.length + certificates.length
  const attributes = prefixed(signedData, rangeOffset + rangeBytes)
  const certificate = readCertificate(prefixed(certificates, 0))
  const isConsistent =
    certificate.publicKey.equals(key) &&
    slice(signedData, rangeOffset, rangeBytes).equals(slice(signer, 4 + signedData.length, rangeBytes))
  const content = readDigests(signedData, { digests, signatures, key })
  if (!isConsistent || content === undefined) return undefined
  return { certificate, digests: content, newerScheme: newerSchemeIn(attributes) }
}

type Signatures = { digests: Buffer; signatures: Buffer; key: Buffer }

/** Returns the digests of the APK, or undefined unless they have the same algorithms as the signatures and all are valid. */
function readDigests(signedData: Buffer, { digests, signatures, key }: Signatures) {
  const found = listPrefixed(digests, maxSignatures).map(readEntry)
  const signed = listPrefixed(signatures, maxSignatures).map(readEntry)
  if (found.length !== signed.length) return undefined
  const content = new Map<ContentDigest, Buffer>()
  for (const [index, { id, value }] of signed.entries()) {
    const digest = found[index]
    if (digest?.id !== id) return undefined
    const algorithm = algorithms[id]
    if (algorithm === undefined) continue
    if (!isSignature(signedData, value, key, algorithm)) return undefined
    const other = content.get(algorithm.content)
    if (other !== undefined && !other.equals(digest.value)) return undefined
    content.set(algorithm.content, digest.value)
  }
  return content.size > 0 ? content : undefined
}

const readEntry = (entry: Buffer) => ({ id: entry.readUInt32LE(0), value: prefixed(entry, 4) })

function newerSchemeIn(attributes: Buffer): number | undefined {
  const found = listPrefixed(attributes, maxAttributes).find(
    (attribute) => attribute.readUInt32LE(0) === newerSchemeAttribute,
  )
  return found?.readUInt32LE(4)
}

/** Returns the bytes that follow a four-byte length at an offset. */
const prefixed = (buffer: Buffer, at: number): Buffer => slice(buffer, at + 4, buffer.readUInt32LE(at))

/** Returns a sequence of elements, each preceded by a four-byte length. Throws a RangeError if there are too many. */
function listPrefixed(buffer: Buffer, maxElements: number): Buffer[] {
  const elements: Buffer[] = []
  for (let at = 0; at < buffer.length;) {
    if (elements.length === maxElements) throw new RangeError('The block has too many elements.')
    const element = prefixed(buffer, at)
    elements.push(element)
    at += 4 + element.length
  }
  return elements
}
