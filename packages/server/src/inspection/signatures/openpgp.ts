import { parseOrNull, slice } from '../bytes.ts'
import type { PackageInfo } from '../inspection.ts'

const signaturePacket = 2
const issuerSubpacket = 16
const fingerprintSubpacket = 33
const armor =
  /-----BEGIN PGP SIGNATURE-----\r?\n(?:[^\r\n]+: [^\r\n]*\r?\n)*\r?\n([A-Za-z0-9+/=\r\n]+?)(?:\r?\n=|-----END)/

/**
 * Returns the ID of the key that made an OpenPGP signature (RFC 9580), in hexadecimal, or undefined if it does not state
 * the key. The signature may be binary or in a text. Throws a RangeError if it is damaged.
 */
function signerKeyId(signature: Buffer): string | undefined {
  const [, base64] = armor.exec(signature.toString('latin1')) ?? []
  return packetKeyId(base64 === undefined ? signature : Buffer.from(base64, 'base64'))
}

/** Returns the signer of a package that has this signature, if any. The signature is not verified. */
export function describeKey(signature: Buffer | undefined): Pick<PackageInfo, 'signer' | 'signature_status'> {
  if (signature === undefined) return { signer: null, signature_status: 'unsigned' }
  const keyId = parseOrNull(() => signerKeyId(signature))
  return { signer: keyId ? `Key ID ${keyId}` : null, signature_status: 'unknown' }
}

function packetKeyId(bytes: Buffer): string | undefined {
  const { type, body } = readPacket(bytes)
  if (type !== signaturePacket) return undefined
  const version = body.readUInt8(0)
  if (version === 3) return slice(body, 7, 8).toString('hex')
  const lengthBytes = version === 6 ? 4 : 2
  const hashedBytes = body.readUIntBE(4, lengthBytes)
  const hashed = slice(body, 4 + lengthBytes, hashedBytes)
  const unhashedOffset = 4 + lengthBytes + hashedBytes
  const unhashed = slice(body, unhashedOffset + lengthBytes, body.readUIntBE(unhashedOffset, lengthBytes))
  return issuerIn(hashed) ?? issuerIn(unhashed)
}

function readPacket(bytes: Buffer): { type: number; body: Buffer } {
  const first = bytes.readUInt8(0)
  if (first < 0x80) throw new RangeError('There is no packet.')
  const isNew = (first & 0x40) !== 0
  if (isNew) {
    const { length, headerBytes } = readLength(bytes, 1)
    return { type: first & 0x3f, body: slice(bytes, 1 + headerBytes, length) }
  }
  const lengthBytes = 1 << (first & 3)
  // A length of type 3 is not stated: the packet extends to the end.
  const body =
    lengthBytes === 8 ? bytes.subarray(1) : slice(bytes, 1 + lengthBytes, bytes.readUIntBE(1, lengthBytes))
  return { type: (first >> 2) & 0xf, body }
}

function readLength(bytes: Buffer, at: number): { length: number; headerBytes: number } {
  const first = bytes.readUInt8(at)
  if (first < 192) return { length: first, headerBytes: 1 }
  if (first < 255) return { length: ((first - 192) << 8) + bytes.readUInt8(at + 1) + 192, headerBytes: 2 }
  return { length: bytes.readUInt32BE(at + 1), headerBytes: 5 }
}

/** Returns the key ID in the subpackets: that of the issuer, or the part of its fingerprint. */
function issuerIn(subpackets: Buffer): string | undefined {
  for (let at = 0; at < subpackets.length;) {
    const { length, headerBytes } = readLength(subpackets, at)
    const data = slice(subpackets, at + headerBytes, length)
    const type = data.readUInt8(0) & 0x7f
    if (type === issuerSubpacket) return slice(data, 1, 8).toString('hex')
    // Version 4 uses the end of the fingerprint as the key ID, later versions its beginning.
    if (type === fingerprintSubpacket)
      return (data.readUInt8(1) === 4 ? slice(data, 14, 8) : slice(data, 2, 8)).toString('hex')
    at += headerBytes + length
  }
  return undefined
}
