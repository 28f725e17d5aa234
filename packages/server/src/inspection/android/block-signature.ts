import { constants, createPublicKey, verify } from 'node:crypto'
import { slice } from '../bytes.ts'
import { readCertificate, type Certificate } from '../signatures/signed-data.ts'

/**
 * Maps the IDs of signature algorithms to their hash and, for RSASSA-PSS, the salt length. Algorithms from 0x0421 on
 * differ only in how the APK is digested.
 */
const algorithms: Readonly<Record<number, { hash: string; saltLength?: number }>> = {
  0x0101: { hash: 'sha256', saltLength: 32 },
  0x0102: { hash: 'sha512', saltLength: 64 },
  0x0103: { hash: 'sha256' },
  0x0104: { hash: 'sha512' },
  0x0201: { hash: 'sha256' },
  0x0202: { hash: 'sha512' },
  0x0301: { hash: 'sha256' },
  0x0421: { hash: 'sha256' },
  0x0423: { hash: 'sha256' },
  0x0425: { hash: 'sha256' },
}
const maxSignatures = 8

/**
 * Returns the certificate of the first signer in the block of a signature scheme, or null if its signature is invalid.
 * The signature covers digests of the APK, which are not verified here. Android verifies them during installation.
 * Throws a RangeError if the block is damaged.
 */
export function readBlockSignature(block: Buffer, hasSdkRange: boolean): Certificate | null {
  const signer = prefixed(prefixed(block, 0), 0)
  const signedData = prefixed(signer, 0)
  const digests = prefixed(signedData, 0)
  const certificate = readCertificate(prefixed(prefixed(signedData, 4 + digests.length), 0))
  // From scheme v3 on, the minimum and maximum API level of the signer precede the signatures.
  const signaturesOffset = 4 + signedData.length + (hasSdkRange ? 8 : 0)
  const signatures = prefixed(signer, signaturesOffset)
  const key = prefixed(signer, signaturesOffset + 4 + signatures.length)
  const isOwnKey = certificate.publicKey.equals(key)
  return isOwnKey && isSigned(signedData, signatures, key) ? certificate : null
}

function isSigned(signedData: Buffer, signatures: Buffer, key: Buffer): boolean {
  let at = 0
  for (let count = 0; count < maxSignatures && at < signatures.length; count++) {
    const entry = prefixed(signatures, at)
    at += 4 + entry.length
    const algorithm = algorithms[entry.readUInt32LE(0)]
    if (algorithm !== undefined) return hasSignature(signedData, prefixed(entry, 4), key, algorithm)
  }
  return false
}

function hasSignature(
  signedData: Buffer,
  signature: Buffer,
  key: Buffer,
  { hash, saltLength }: { hash: string; saltLength?: number },
): boolean {
  try {
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' })
    const padding = saltLength === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
    return verify(hash, signedData, { key: publicKey, ...padding }, signature)
  } catch {
    // OpenSSL rejects malformed keys and signatures.
    return false
  }
}

/** Returns the bytes that follow a four-byte length at an offset. */
const prefixed = (buffer: Buffer, at: number): Buffer => slice(buffer, at + 4, buffer.readUInt32LE(at))
