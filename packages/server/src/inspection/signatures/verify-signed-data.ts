import { constants, createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { childOf, childrenOf, derTag, octetsOf, oidOf, type DerElement } from './der.ts'
import { UnsupportedSignature } from './signature.ts'
import type { SignedData, Signer } from './signed-data.ts'

const contentTypeOid = '2a864886f70d010903'
const messageDigestOid = '2a864886f70d010904'

/** Maps object identifiers of digest algorithms to names of OpenSSL. */
export const digestNames: Readonly<Record<string, string>> = {
  '2a864886f70d0205': 'md5',
  '2b0e03021a': 'sha1',
  '608648016503040204': 'sha224',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
}

const rsa = { keyTypes: ['rsa'] }
const rsaPss = { keyTypes: ['rsa', 'rsa-pss'], isPss: true }
const dsa = { keyTypes: ['dsa'] }
const ecdsa = { keyTypes: ['ec'] }

/** Maps object identifiers of signature algorithms. They may also state the digest algorithm, which must be the same. */
const signatureAlgorithms: Readonly<
  Record<string, { keyTypes: string[]; isPss?: boolean; digest?: string }>
> = {
  '2a864886f70d010101': rsa,
  '2a864886f70d010104': { ...rsa, digest: 'md5' },
  '2a864886f70d010105': { ...rsa, digest: 'sha1' },
  '2a864886f70d01010e': { ...rsa, digest: 'sha224' },
  '2a864886f70d01010b': { ...rsa, digest: 'sha256' },
  '2a864886f70d01010c': { ...rsa, digest: 'sha384' },
  '2a864886f70d01010d': { ...rsa, digest: 'sha512' },
  '2a864886f70d01010a': rsaPss,
  '2a8648ce380401': dsa,
  '2a8648ce380403': { ...dsa, digest: 'sha1' },
  '608648016503040301': { ...dsa, digest: 'sha224' },
  '608648016503040302': { ...dsa, digest: 'sha256' },
  '2a8648ce3d0201': ecdsa,
  '2a8648ce3d0401': { ...ecdsa, digest: 'sha1' },
  '2a8648ce3d040301': { ...ecdsa, digest: 'sha224' },
  '2a8648ce3d040302': { ...ecdsa, digest: 'sha256' },
  '2a8648ce3d040303': { ...ecdsa, digest: 'sha384' },
  '2a8648ce3d040304': { ...ecdsa, digest: 'sha512' },
}

/**
 * Returns whether every signer of a message has signed the content (RFC 5652, section 5.6). For content that is not an
 * octet string, `content` excludes the tag and the length. The certificates are not checked against a trust store. Throws
 * `UnsupportedSignature` if an algorithm is unknown, and a RangeError if the message is damaged.
 */
export function isSignedBy({ contentType, signers }: SignedData, content: Buffer): boolean {
  return signers.length > 0 && signers.every((signer) => hasSigned(signer, contentType, content))
}

function hasSigned({ certificate, info }: Signer, contentType: string, content: Buffer): boolean {
  const [, , digestAlgorithm, ...rest] = childrenOf(info)
  const attributes = rest[0]?.tag === derTag.context0 ? rest.shift() : undefined
  const [signatureAlgorithm, signature] = rest
  if (digestAlgorithm === undefined || signatureAlgorithm === undefined || signature === undefined)
    throw new RangeError('The signer is incomplete.')
  if (certificate === null) return false
  const digest = digestNames[oidOf(childOf(digestAlgorithm, 0))]
  const algorithm = signatureAlgorithms[oidOf(childOf(signatureAlgorithm, 0))]
  if (digest === undefined || algorithm === undefined || (algorithm.digest ?? digest) !== digest)
    throw new UnsupportedSignature('The signature uses an unsupported algorithm.')
  if (attributes !== undefined && !matches(attributes, contentType, digestOf(digest, content))) return false
  const signed = attributes === undefined ? content : asSet(attributes)
  return isSignature(signed, octetsOf(signature), certificate.publicKey, { ...algorithm, digest })
}

const digestOf = (algorithm: string, content: Buffer): Buffer =>
  createHash(algorithm).update(content).digest()

/** Returns whether the signed attributes contain the type and the digest of the content. */
function matches(attributes: DerElement, contentType: string, digest: Buffer): boolean {
  const values = new Map(
    childrenOf(attributes).map((attribute) => [
      oidOf(childOf(attribute, 0)),
      childOf(childOf(attribute, 1, derTag.set), 0),
    ]),
  )
  const [type, found] = [values.get(contentTypeOid), values.get(messageDigestOid)]
  return (
    type !== undefined && oidOf(type) === contentType && found !== undefined && octetsOf(found).equals(digest)
  )
}

/** Returns the bytes that are signed: the attributes with the tag of a set (RFC 5652, section 5.4). */
function asSet({ bytes }: DerElement): Buffer {
  const isIndefinite = bytes[1] === 0x80
  if (isIndefinite) throw new UnsupportedSignature('The signed attributes are not encoded in DER.')
  return Buffer.concat([Buffer.from([derTag.set]), bytes.subarray(1)])
}

/** Returns whether a signature was made with the private key of a public key, which is in SubjectPublicKeyInfo format. */
export function isSignature(
  signed: Buffer,
  signature: Buffer,
  publicKey: Buffer,
  { digest, keyTypes, isPss = false, saltLength = constants.RSA_PSS_SALTLEN_AUTO }: SignatureAlgorithm,
): boolean {
  const padding = isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : {}
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
    return hasType(key, keyTypes) && verify(digest, signed, { key, ...padding }, signature)
  } catch {
    // OpenSSL rejects malformed keys and signatures.
    return false
  }
}

export type SignatureAlgorithm = {
  digest: string
  /** The types of keys that the algorithm allows. */
  keyTypes: readonly string[]
  isPss?: boolean
  saltLength?: number
}

const hasType = ({ asymmetricKeyType }: KeyObject, types: readonly string[]): boolean =>
  asymmetricKeyType !== undefined && types.includes(asymmetricKeyType)
