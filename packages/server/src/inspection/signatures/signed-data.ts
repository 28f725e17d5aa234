import { createHash } from 'node:crypto'
import { parseOr } from '../bytes.ts'
import { childOf, childrenOf, derTag, octetsOf, oidOf, readDer, type DerElement } from './der.ts'

const signedDataOid = '2a864886f70d010702'
const oids = {
  commonName: '550403',
  organization: '55040a',
} as const

/** The identifying fields of a certificate. */
export type Certificate = {
  sha256: string
  commonName: string | null
  organization: string | null
  /** The public key with its algorithm, as SubjectPublicKeyInfo in DER. */
  publicKey: Buffer
  /** A hash of the issuer and the serial number, which identify the certificate in a signature. */
  reference: string
}

/** A signed CMS message (RFC 5652, section 5). The signature is not verified. */
export type SignedData = {
  /** The signed content, or null if the signature is detached. */
  content: DerElement | null
  /** The certificate of the first signer, or null if the message does not contain it. */
  signer: Certificate | null
}

/** Reads a CMS message. Throws `InspectionError` with the reason if the bytes are not a signed message. */
export function readSignedData(bytes: Buffer, reason: string): SignedData {
  return parseOr(reason, () => {
    const message = readDer(bytes)
    if (oidOf(childOf(message, 0)) !== signedDataOid) throw new RangeError('The message is not signed.')
    const parts = childrenOf(childOf(childOf(message, 1, derTag.context0), 0, derTag.sequence))
    const [, , encapsulated, ...others] = parts
    if (encapsulated === undefined) throw new RangeError('The message has no content.')
    const content = childrenOf(encapsulated)[1]
    const certificates = others.find(({ tag }) => tag === derTag.context0)
    const signerInfo = others.findLast(({ tag }) => tag === derTag.set)
    return {
      content: content === undefined ? null : childOf(content, 0),
      signer: signerInfo === undefined ? null : findSigner(signerInfo, certificates),
    }
  })
}

/** Returns the bytes of the signed content, which must be an octet string, or null if the signature is detached. */
export function contentOf({ content }: SignedData): Buffer | null {
  return content === null ? null : octetsOf(content)
}

function findSigner(signers: DerElement, certificates: DerElement | undefined): Certificate | null {
  const [first] = childrenOf(signers)
  if (first === undefined || certificates === undefined) return null
  const identifier = childOf(first, 1)
  const known = childrenOf(certificates).filter(({ tag }) => tag === derTag.sequence)
  // A signer can also be identified by its key. The first certificate is usually that of the signer.
  if (identifier.tag !== derTag.sequence)
    return known[0] === undefined ? null : readCertificate(known[0].bytes)
  const reference = referenceOf(childOf(identifier, 0), childOf(identifier, 1))
  for (const { bytes } of known) {
    const certificate = readCertificate(bytes)
    if (certificate.reference === reference) return certificate
  }
  return null
}

/** Reads an X.509 certificate (RFC 5280, section 4.1). Throws a RangeError if it is damaged. */
export function readCertificate(bytes: Buffer): Certificate {
  const certificate = readDer(bytes)
  const fields = childrenOf(childOf(certificate, 0, derTag.sequence))
  // The version is optional and precedes all other fields.
  const offset = fields[0]?.tag === derTag.context0 ? 1 : 0
  const [serial, , issuer, , subject, publicKey] = fields.slice(offset)
  if (serial === undefined || issuer === undefined || subject === undefined || publicKey === undefined)
    throw new RangeError('The certificate is incomplete.')
  return {
    sha256: createHash('sha256').update(certificate.bytes).digest('hex'),
    commonName: attributeOf(subject, oids.commonName),
    organization: attributeOf(subject, oids.organization),
    publicKey: publicKey.bytes,
    reference: referenceOf(issuer, serial),
  }
}

const referenceOf = (issuer: DerElement, serial: DerElement): string =>
  createHash('sha256').update(issuer.bytes).update(serial.bytes).digest('hex')

/** Returns the most specific attribute of this type in a distinguished name, which is the last one. */
function attributeOf(name: DerElement, oid: string): string | null {
  for (const relativeName of childrenOf(name).toReversed()) {
    for (const attribute of childrenOf(relativeName)) {
      if (oidOf(childOf(attribute, 0)) === oid) return textOf(childOf(attribute, 1))
    }
  }
  return null
}

function textOf({ tag, content }: DerElement): string {
  if (tag !== derTag.bmpString) return content.toString('utf8')
  return Buffer.from(content.subarray(0, content.length - (content.length % 2)))
    .swap16()
    .toString('utf16le')
}
